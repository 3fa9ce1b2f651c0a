#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The summary over ctest's own report and the verdicts of golden.py."""

import contextlib
import io
import os
import pathlib
import tempfile
import unittest

import last_check
import summary
from verdict import Kind, Results, Verdict, write_results

JUNIT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="x" tests="5">
  <testcase name="unit.base" status="run" time="0.1"><system-out>fine</system-out></testcase>
  <testcase name="unit.codegen" status="fail" time="0.1"><failure message="Subprocess aborted"/></testcase>
  <testcase name="style.format" status="notrun" time="0">
    <skipped message="SKIP_RETURN_CODE=77"/><system-out>some words
no clang-format-19
</system-out></testcase>
  <testcase name="golden.aggs" status="fail" time="3"><failure message="Failed"/></testcase>
  <testcase name="golden.cli" status="fail" time="900"><failure message="Timeout"/></testcase>
</testsuite>
"""

VM_JUNIT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="x" tests="3">
  <testcase name="vm.6.1" status="fail" time="9"><failure message="Failed"/></testcase>
  <testcase name="vm.newest" status="notrun" time="0">
    <skipped message="SKIP_RETURN_CODE=77"/><system-out>the suite sid cannot be read</system-out></testcase>
  <testcase name="vm.newest-arm64-16k" status="notrun" time="0">
    <skipped message="SKIP_RETURN_CODE=77"/><system-out>the suite sid cannot be read</system-out></testcase>
</testsuite>
"""


class Summary(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name) / "release"
        (self.folder / "test").mkdir(parents=True)

    def run_main(self):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            status = summary.main([str(self.folder)])
        return status, out.getvalue().splitlines()

    def test_scripts_replace_their_test(self):
        (self.folder / "test" / "junit.xml").write_text(JUNIT)
        results = self.folder / "test" / "results"
        write_results(results / "golden.aggs", [Verdict(Kind.PASS, "aggs/tst.a.d"), Verdict(Kind.PASS, "aggs/tst.b.d"),
                                                Verdict(Kind.FAIL, "aggs/tst.c.d", "output differs", "-a\n+b\tc\n")])
        # A run that was killed after its results were written is a failure of its own.
        write_results(results / "golden.cli", [Verdict(Kind.PASS, "cli/tst.d.d")])
        status, lines = self.run_main()
        self.assertEqual(status, 1)
        self.assertEqual(lines, [
            "SKIP  release: style.format: no clang-format-19",
            "FAIL  release: unit.codegen: Subprocess aborted",
            "FAIL  release: aggs/tst.c.d: output differs",
            "      -a",
            "      +b\tc",
            "FAIL  release: golden.cli: Timeout",
            "",
            *self.matrix((f"this one {os.uname().release}", os.uname().machine, "golden", 3, 2, 0, 0, 0)),
            "",
            "4 passed, 3 failed, 1 skipped",
        ])

    @staticmethod
    def matrix(*rows):
        width = max(len(row[0]) for row in rows)
        return [f"{'kernel':{width}}  processor  tier      passed  failed  skipped  left out  minutes"] + [
            f"{name:{width}}  {processor:9}  {tier:8}  {passed:6}  {failed:6}  {skipped:7}  {left_out:8}  {minutes:7.1f}"
            for name, processor, tier, passed, failed, skipped, left_out, minutes in rows]

    def test_kernels(self):
        (self.folder / "test" / "junit.xml").write_text(VM_JUNIT)
        write_results(self.folder / "test" / "results" / "vm.6.1@golden",
                      [Verdict(Kind.PASS, "aggs/tst.a.d"), Verdict(Kind.FAIL, "aggs/tst.b.d", "output differs"),
                       Verdict(Kind.SKIP, "aggs/tst.c.d", "no disk")], kernel="6.1.0-56-amd64 x86_64", seconds=90, left_out=2)
        agree = Results(self.folder / "test" / "results" / "vm.6.1@agree", kernel="6.1.0-56-amd64 x86_64")
        agree.add(Verdict(Kind.PASS, "agree/expressions"))
        agree.write("#! started a second time\n")
        agree.finish()
        status, lines = self.run_main()
        self.assertEqual(status, 1)
        self.assertEqual(lines, [
            "SKIP  release: vm.6.1: aggs/tst.c.d: no disk",
            "SKIP  release: vm.newest, vm.newest-arm64-16k: the suite sid cannot be read",
            "FAIL  release: vm.6.1: aggs/tst.b.d: output differs",
            "",
            *self.matrix(("6.1 6.1.0-56-amd64", "x86_64", "agree", 1, 0, 0, 0, 0),
                         ("6.1 6.1.0-56-amd64", "x86_64", "golden", 1, 1, 1, 2, 1.5), ("newest", "x86_64", "all", 0, 0, 1, 0, 0),
                         ("newest-arm64-16k", "aarch64", "all", 0, 0, 1, 0, 0)),
            "note: vm.6.1: started a second time",
            "",
            "2 passed, 1 failed, 3 skipped",
        ])

    def test_verdict_without_a_test(self):
        write_results(self.folder / "test" / "results" / "build", [Verdict(Kind.FAIL, "build", "does not build")])
        self.assertEqual(self.run_main(), (1, ["FAIL  release: build: does not build",
                                               "0 passed, 1 failed, 0 skipped"]))

    def test_nothing_is_not_success(self):
        self.assertEqual(self.run_main(), (1, ["0 passed, 0 failed, 0 skipped"]))

    def test_skips_of_one_reason(self):
        write_results(self.folder / "test" / "results" / "x", [Verdict(Kind.PASS, "a"), Verdict(Kind.SKIP, "b", "no disk"),
                                                               Verdict(Kind.SKIP, "c", "why"), Verdict(Kind.SKIP, "d", "no disk")])
        self.assertEqual(self.run_main(), (0, ["SKIP  release: b, d: no disk", "SKIP  release: c: why",
                                               "1 passed, 0 failed, 3 skipped"]))

    def test_long_detail(self):
        detail = "".join(f"line {i}\n" for i in range(100))
        write_results(self.folder / "test" / "results" / "x", [Verdict(Kind.FAIL, "a", "output differs", detail)])
        lines = self.run_main()[1]
        self.assertEqual(lines[:2] + lines[24:26], ["FAIL  release: a: output differs", "      line 0", "      line 23",
                                                    "      ... 76 more lines"])

    def test_success(self):
        write_results(self.folder / "test" / "results" / "x", [Verdict(Kind.PASS, "a"), Verdict(Kind.SKIP, "b", "why")])
        self.assertEqual(self.run_main()[0], 0)

    def test_record(self):
        """What last_check.py reads, and what did not run."""
        (self.folder / "test" / "junit.xml").write_text(JUNIT)
        results = self.folder / "test" / "results"
        write_results(results / "golden.aggs", [Verdict(Kind.PASS, "aggs/tst.a.d"), Verdict(Kind.FAIL, "aggs/tst.c.d", "output differs")])
        path = self.folder / "record"
        with contextlib.redirect_stdout(io.StringIO()) as out:
            summary.main(["--record", str(path), "--tree", str(self.folder), "--began", "7", "--tiers", "unit,golden",
                          "--left-out", "fuzz,vm", str(self.folder)])
        self.assertEqual(out.getvalue().splitlines()[-2:], ["left out: fuzz vm (./check --help)", "2 passed, 3 failed, 1 skipped"])
        record = last_check.read(path)
        self.assertEqual(record.counts, {"release unit": [1, 1, 0], "release style": [0, 0, 1], "release golden": [1, 2, 0]})
        self.assertEqual(record.failed, ["release: unit.codegen", "release: aggs/tst.c.d", "release: golden.cli"])
        self.assertEqual((record.tiers, record.left_out, record.began, record.commit), (["unit", "golden"], ["fuzz", "vm"], 7, ""))


if __name__ == "__main__":
    unittest.main()
