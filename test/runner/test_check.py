#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line of `check`: what it refuses before it installs or builds anything, and its list of tiers."""

import os
import pathlib
import re
import subprocess
import tempfile
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
        self.assertEqual([name for name, mark in listed() if mark], ["style", "unit", "phase", "golden", "agree", "replay"])

    def test_refused(self):
        for arguments, text in ((["nonsense"], "no tier nonsense; there are: style unit "), (["--nonsense"], "unknown option --nonsense"),
                                (["--minutes", "soon"], "--minutes wants a number"), (["--minutes"], "--minutes wants a number"), (["--jobs=0"], "--jobs wants a number"),
                                (["--kernels"], "--kernels wants names"), (["--kernels=9.9"], "no kernel 9.9; there are: ")):
            status, out, err = check(*arguments)
            self.assertEqual((status, out), (1, ""), arguments)
            self.assertTrue(err.startswith(f"check: {text}"), err)

    def test_nothing_runs_before_packages(self):
        """A fresh machine may have no Python, and tracefs is mounted when its packages are there."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("python3", "dpkg-query", "apt-get", "mount"):
                stub = pathlib.Path(folder, name)
                stub.write_text(f'#!/bin/sh\necho {name} >>"{folder}/log"\nexit 1\n')
                stub.chmod(0o755)
            answer = subprocess.run([TREE / "check", "golden", "vm"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                    text=True, check=False, timeout=60, env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
            asked = set(pathlib.Path(folder, "log").read_text(encoding="utf-8").split())
        self.assertEqual(answer.returncode, 1, answer.stdout)
        self.assertLessEqual(asked, {"dpkg-query", "apt-get"})

    def runs(self, wanted, minutes="", seconds=0, kernels=""):
        """What would run together, a line for each; `seconds` have passed at the start, and each takes ten minutes."""
        script = f'''set -u; top=$PWD; . scripts/common.sh; . test/vm/common.sh; . scripts/tiers.sh
            wanted=({wanted}) minutes={minutes} kernels="{kernels}" SECONDS={seconds}
            test_tiers() {{ echo "$@"; shift; ran+=("$@"); SECONDS=$((SECONDS + 600)); }}
            start_kernels() {{ [ -z "$(kernels_of "$2")" ] || {{ echo "kernels $1"; ran+=(vm); }}; }}
            run_tiers; echo "$(left_out)"'''
        answer = subprocess.run(["bash", "-c", script], cwd=TREE, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, check=True)
        *lines, left_out = answer.stdout.splitlines()
        return lines, left_out, answer.stderr.splitlines()

    def test_neighbours_run_together(self):
        lines, left_out, _ = self.runs("style golden usdt sanitized-unit software single fuzz")
        self.assertEqual(lines, ["release style golden usdt", "sanitize sanitized-unit", "release single software", "fuzz fuzz"])
        self.assertEqual(left_out, "unit,phase,agree,replay,install,harmless,vm,sanitized,arm64")

    def test_minutes(self):
        """Usual ones run in any case, the others one by one until there is no time."""
        lines, left_out, said = self.runs("unit golden usdt install sanitized-unit", minutes=25, seconds=60)
        self.assertEqual(lines, ["release unit golden", "release usdt", "release install"])
        self.assertEqual(said, ["check: no time for sanitized-unit: 31 minutes have passed"])
        self.assertEqual(self.runs("unit golden usdt", minutes=25, seconds=3000)[0], ["release unit golden"])

    def test_kernels_run_beside_what_follows(self):
        lines, *_ = self.runs("golden vm sanitized", kernels=self.kernel_of_this_machine())
        self.assertEqual(lines, ["release golden", "kernels release", "sanitize sanitized"])

    @staticmethod
    def kernel_of_this_machine():
        architecture = {"x86_64": "amd64", "aarch64": "arm64"}[os.uname().machine]
        text = (TREE / "test/vm/kernels").read_text(encoding="utf-8")
        return re.search(rf"(?m)^([^# ]+) .* linux-image-{architecture}", text)[1]

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
