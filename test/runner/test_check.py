#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line of `check`: what it refuses before it installs or builds anything, and its list of tiers."""

import pathlib
import re
import subprocess
import unittest

TREE = pathlib.Path(__file__).resolve().parents[2]


def check(*arguments):
    answer = subprocess.run([TREE / "check", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            check=False, timeout=60)
    return answer.returncode, answer.stdout, answer.stderr


def listed():
    """Name and mark of each tier, as the help has them."""
    return re.findall(r"^  ([a-z0-9-]+) +(\*?) +[a-z]", check("--help")[1].partition("options:")[0], re.M)


class Check(unittest.TestCase):
    def test_help(self):
        status, out, err = check("--help")
        self.assertEqual((status, err, out.splitlines()[0]), (0, "", "usage: check [OPTION]... [TIER]..."))
        self.assertEqual([name for name, mark in listed() if mark], ["style", "unit", "phase", "golden", "agree"])

    def test_refused(self):
        for arguments, text in ((["nonsense"], "no tier nonsense; there are: style unit "), (["--nonsense"], "unknown option --nonsense"),
                                (["--minutes", "soon"], "--minutes wants a number"), (["--minutes"], "--minutes wants a number"),
                                (["--kernels"], "--kernels wants names"), (["--kernels=9.9"], "no kernel 9.9; there are: ")):
            status, out, err = check(*arguments)
            self.assertEqual((status, out), (1, ""), arguments)
            self.assertTrue(err.startswith(f"check: {text}"), err)

    def test_every_label_is_a_tier(self):
        """Tests with a label that no tier has would never run."""
        labels = set()
        for path in TREE.glob("test/**/CMakeLists.txt"):
            labels |= set(re.findall(r"LABELS ([a-z]+)", path.read_text(encoding="utf-8")))
        tiers = {name for name, _ in listed()}
        self.assertLessEqual(labels - {"runner"}, tiers)

    def test_every_label_is_documented(self):
        text = (TREE / "CONTRIBUTING.md").read_text(encoding="utf-8")
        for name, _ in listed():
            self.assertTrue(re.search(rf"(?m)^\| {name} +\|", text), f"the table of tiers in CONTRIBUTING.md lacks {name}")


if __name__ == "__main__":
    unittest.main()
