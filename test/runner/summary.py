#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One line over several runs of ctest: `N passed, N failed, N skipped`, with every failure and skip named before it.

    summary.py build/release build/sanitize

Each folder holds test/junit.xml (from `ctest --output-junit`) and test/results/ (from golden.py). A test of ctest that
left results there stands for the scripts it ran, so they are counted and it is not. A folder may also hold results
without any test: `check` leaves a verdict there when a preset does not build.
"""

import pathlib
import sys
import xml.etree.ElementTree

from verdict import Kind, Verdict, read_results


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


def read_folder(folder):
    """Every verdict below one build folder, in order of its test."""
    results = {path.name: read_results(path) for path in sorted((folder / "test" / "results").glob("*"))}
    junit = folder / "test" / "junit.xml"
    verdicts = []
    if junit.exists():
        for element in xml.etree.ElementTree.parse(junit).getroot().iter("testcase"):
            verdict = ctest_verdict(element)
            scripts = results.pop(verdict.name, None)
            if scripts is None:
                verdicts.append(verdict)
                continue
            verdicts += scripts
            if verdict.kind is Kind.FAIL and not any(script.kind is Kind.FAIL for script in scripts):
                verdicts.append(verdict)
    for scripts in results.values():
        verdicts += scripts
    return verdicts


def main(folders):
    count = {kind: 0 for kind in Kind}
    for folder in map(pathlib.Path, folders):
        for verdict in read_folder(folder):
            count[verdict.kind] += 1
            if verdict.kind is not Kind.PASS:
                print(f"{verdict.kind.name}  {folder.name}: {verdict.name}: {verdict.reason}")
    print(f"{count[Kind.PASS]} passed, {count[Kind.FAIL]} failed, {count[Kind.SKIP]} skipped")
    return 1 if count[Kind.FAIL] or not count[Kind.PASS] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
