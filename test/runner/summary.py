#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One line over several runs of ctest: `N passed, N failed, N skipped`. Before it every skip and then every failure is named,
skips of one reason together, and a table shows the kernels that scripts ran on.

    summary.py [--record FILE ...] build/release build/sanitize

Each folder holds test/junit.xml, or several test/junit*.xml (from `ctest --output-junit`) and test/results/ (from golden.py): of the test `x` in a
file x, or in files x@TIER. A test of ctest that left results there stands for the scripts it ran, so they are counted and
it is not. A folder may also hold results without any test: `check` leaves a verdict there when a preset does not build.
"""

import argparse
import dataclasses
import pathlib
import sys
import time
import xml.etree.ElementTree

import last_check
from verdict import Kind, Verdict, read_kernel, read_notes, read_number, read_results, this_kernel

VM_TIER = "vm."  # `vm.<kernel>`: the golden scripts in a virtual machine
KERNELS = pathlib.Path(__file__).resolve().parent.parent / "vm" / "kernels"
PROCESSORS = {"amd64": "x86_64", "arm64": "aarch64"}  # as the kernel calls them
LIVE_TIERS = ("golden", "single", "software", "agree", "replay")  # what says something about the kernel of this machine


def processor_of(name):
    """Of a kernel of the list, which ends with the architecture in the name of its package."""
    for line in KERNELS.read_text().splitlines():
        if line.split()[:1] == [name]:
            return PROCESSORS.get(line.split()[2].split("-")[2], "")
    return ""


def last_line(text):
    lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
    return lines[-1] if lines else "no reason given"


def ctest_verdict(element):
    name = element.get("name")
    seconds = float(element.get("time") or 0)
    skipped = element.find("skipped")
    failure = element.find("failure")
    output = element.findtext("system-out")
    if skipped is not None:
        return Verdict(Kind.SKIP, name, last_line(output), seconds=seconds)
    if failure is not None or element.get("status") == "fail":
        message = failure.get("message") if failure is not None else ""
        return Verdict(Kind.FAIL, name, message or "failed", seconds=seconds)
    if element.get("status") != "run":
        return Verdict(Kind.SKIP, name, element.get("status") or "not run", seconds=seconds)
    return Verdict(Kind.PASS, name, seconds=seconds)


class Matrix:
    """Verdicts by kernel, processor and tier."""

    @dataclasses.dataclass
    class Row:
        verdicts: list = dataclasses.field(default_factory=list)
        left_out: int = 0
        seconds: int = 0

    def __init__(self):
        self.rows = {}  # by (kernel, processor, tier)
        self.notes = []

    def add(self, test, tier, kernel, verdicts, left_out=0, seconds=0):
        tier = tier or ("all" if test.startswith(VM_TIER) else test.partition(".")[0])
        if test.startswith(VM_TIER):
            release, _, processor = kernel.partition(" ")
            name = test.removeprefix(VM_TIER)
            processor = processor or processor_of(name)
            name = f"{name} {release}".rstrip()
        elif tier in LIVE_TIERS:
            release, _, processor = this_kernel().partition(" ")
            name = f"this one {release}"
        else:
            return
        row = self.rows.setdefault((name, processor, tier), Matrix.Row())
        row.verdicts += verdicts
        row.left_out += left_out
        row.seconds += seconds

    def text(self):
        width = max([len(kernel) for kernel, *_ in self.rows] + [len("kernel")])
        lines = [f"{'kernel':{width}}  processor  {'tier':8}  passed  failed  skipped  left out  minutes"]
        for (kernel, processor, tier), row in self.rows.items():
            count = [sum(verdict.kind is kind for verdict in row.verdicts) for kind in (Kind.PASS, Kind.FAIL, Kind.SKIP)]
            lines.append(f"{kernel:{width}}  {processor:9}  {tier:8}  {count[0]:6}  {count[1]:6}  {count[2]:7}  {row.left_out:8}  "
                         f"{row.seconds / 60:7.1f}")
        return "\n".join(lines + [f"note: {note}" for note in self.notes])


def read_folder(folder, matrix):
    """Every verdict below one build folder, with the name of its test of ctest, in order of that; `matrix` learns those that a
    kernel had a part in."""
    files = {}  # test: its files
    for path in sorted((folder / "test" / "results").glob("*")):
        if path.suffix != ".part":
            files.setdefault(path.name.partition("@")[0], []).append(path)
    verdicts = []
    for junit in sorted((folder / "test").glob("junit*.xml")):
        for element in xml.etree.ElementTree.parse(junit).getroot().iter("testcase"):
            verdict = ctest_verdict(element)
            scripts = []
            for path in files.get(verdict.name, []):
                some = read_results(path)
                matrix.add(verdict.name, path.name.partition("@")[2], read_kernel(path), some,
                           read_number(path, "left_out"), read_number(path, "seconds"))
                matrix.notes += [f"{verdict.name}: {note}" for note in read_notes(path)]
                scripts += some
            failed = verdict.kind is Kind.FAIL and not any(script.kind is Kind.FAIL for script in scripts)
            own = [verdict] if not files.pop(verdict.name, None) or failed else []
            if own:
                matrix.add(verdict.name, "", "", own)
            verdicts += [(verdict.name, on_kernel(verdict.name, each)) for each in scripts + own]
    for test, paths in files.items():
        for path in paths:
            verdicts += [(test, each) for each in read_results(path)]
    return verdicts


def on_kernel(test, verdict):
    """A script ran on several kernels: its name says on which."""
    if test.startswith(VM_TIER) and verdict.name != test:
        return dataclasses.replace(verdict, name=f"{test}: {verdict.name}")
    return verdict


def tier_of(test):
    """`golden.aggs`: golden."""
    return test.partition(".")[0]


def parse_arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", type=pathlib.Path, metavar="FILE", help="write what last_check.py reads; the options below are for that")
    parser.add_argument("--tree", default=".", metavar="FOLDER", help="what is checked out")
    parser.add_argument("--commit", default="", metavar="ID", help="what was checked out when it began; with + if files were changed")
    parser.add_argument("--began", type=int, default=0, metavar="S", help="since 1970")
    parser.add_argument("--tiers", default="", metavar="A,B", help="those that ran")
    parser.add_argument("--left-out", default="", metavar="A,B", help="those that did not")
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    return parser.parse_args(argv)


def record(arguments, verdicts, failed):
    """`verdicts`: pairs of what "release golden" is to the record and a verdict."""
    counts = {}
    for name, verdict in verdicts:
        counts.setdefault(name, {kind: 0 for kind in Kind})[verdict.kind] += 1
    now, dirty = last_check.state_of(arguments.tree)
    before = arguments.commit.removesuffix("+")
    last_check.Record(commit=before, dirty=dirty or now != before or arguments.commit.endswith("+"), began=arguments.began,
                      seconds=round(time.time() - arguments.began), tiers=[name for name in arguments.tiers.split(",") if name],
                      left_out=[name for name in arguments.left_out.split(",") if name],
                      counts={name: list(count.values()) for name, count in counts.items()},
                      failed=failed).write(arguments.record)


def main(argv):
    arguments = parse_arguments(argv)
    matrix = Matrix()
    verdicts = []  # with "release golden"
    skipped = {}  # by preset and reason: names
    failed, failures = [], []
    for folder in arguments.folders:
        for test, verdict in read_folder(folder, matrix):
            verdicts.append((f"{folder.name} {tier_of(test)}", verdict))
            if verdict.kind is Kind.SKIP:
                skipped.setdefault((folder.name, verdict.reason), []).append(verdict.name)
            elif verdict.kind is Kind.FAIL:
                failures.append(f"{folder.name}: {verdict.name}")
                failed.append(f"FAIL  {folder.name}: {verdict.name}: {verdict.reason}")
                failed += [f"      {line}" for line in verdict.detail.splitlines()]
    for (preset, reason), names in skipped.items():
        print(f"SKIP  {preset}: {', '.join(names)}: {reason}")
    for line in failed:
        print(line)
    if matrix.rows:
        print("\n" + matrix.text() + "\n")
    if arguments.record:
        record(arguments, verdicts, failures)
    if arguments.left_out:
        print(f"left out: {arguments.left_out.replace(',', ' ')} (./check --help)")
    count = {kind: sum(verdict.kind is kind for _, verdict in verdicts) for kind in Kind}
    print(f"{count[Kind.PASS]} passed, {count[Kind.FAIL]} failed, {count[Kind.SKIP]} skipped")
    return 1 if count[Kind.FAIL] or not count[Kind.PASS] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
