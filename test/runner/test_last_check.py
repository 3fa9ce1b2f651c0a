#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Was this commit checked? In a repository of its own."""

import contextlib
import io
import pathlib
import subprocess
import tempfile
import unittest

import last_check


class LastCheck(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.tree = pathlib.Path(scratch.name)
        self.git("init", "-q")
        (self.tree / ".gitignore").write_text("/build/\n")
        self.first = self.commit("first")

    def git(self, *words):
        return subprocess.run(["git", "-C", str(self.tree), "-c", "user.name=A", "-c", "user.email=a@example.org", *words],
                              stdout=subprocess.PIPE, check=True, text=True).stdout

    def commit(self, text):
        (self.tree / "file").write_text(text)
        self.git("add", ".")
        self.git("commit", "-q", "-m", text)
        return self.git("rev-parse", "HEAD").strip()

    def record(self, commit, **changes):
        values = {"commit": commit, "dirty": False, "began": 0, "seconds": 120, "tiers": ["unit"], "left_out": ["vm"],
                  "counts": {"release unit": [3, 0, 1]}, "failed": []}
        last_check.Record(**{**values, **changes}).write(self.tree / last_check.FILE)

    def ask(self, *commit):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            status = last_check.main([str(self.tree), *commit])
        return status, out.getvalue()

    def test_nothing(self):
        self.assertEqual(self.ask(), (1, "nothing has been checked: no file build/last-check\n"))

    def test_checked(self):
        self.record(self.first)
        status, text = self.ask()
        self.assertEqual((status, text.splitlines()),
                         (0, [f"{self.first[:12]}, 1970-01-01 00:00 UTC, 2 minutes:",
                              "  release unit                 3 passed     0 failed     1 skipped", "  left out: vm"]))
        self.assertEqual(self.ask(self.first[:8])[0], 0)

    def test_another_commit(self):
        self.record(self.first)
        second = self.commit("second")
        status, text = self.ask()
        self.assertEqual((status, text.splitlines()[-1]), (1, f"{second[:12]} was not checked"))
        self.assertEqual(self.ask("HEAD~1")[0], 0)
        self.assertEqual(self.ask("nonsense")[0], 1)

    def test_changed(self):
        self.record(self.first)
        (self.tree / "file").write_text("changed")
        self.assertEqual(self.ask()[0], 1)
        self.assertEqual(self.ask("HEAD")[0], 0)
        self.record(self.first, dirty=True)
        status, text = self.ask("HEAD")
        self.assertEqual((status, text.splitlines()[-1]), (1, "files were changed, then or since: that commit was not checked"))
        self.assertIn(" with changes, ", text)

    def test_failed(self):
        self.record(self.first, failed=["release: unit.base"])
        status, text = self.ask()
        self.assertEqual(status, 1)
        self.assertIn("  FAIL release: unit.base\n", text)
        self.record(self.first, counts={"release unit": [0, 0, 4]})
        self.assertEqual(self.ask()[0], 1)


if __name__ == "__main__":
    unittest.main()
