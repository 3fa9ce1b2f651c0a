# SPDX-License-Identifier: Apache-2.0
"""What came of one script, and the file that carries verdicts from golden.py to summary.py."""

import dataclasses
import enum
import json
import os
import pathlib
import threading


class Kind(enum.Enum):
    PASS = "pass"
    FAIL = "fail"
    SKIP = "skip"


@dataclasses.dataclass(frozen=True)
class Verdict:
    kind: Kind
    name: str  # "aggs/tst.sum_signed.d"
    reason: str = ""  # one line; always there for FAIL and SKIP
    detail: str = ""  # lines to read after a failure: the diff, the output
    seconds: float = 0.0


def part_of(path: pathlib.Path):
    """Where results are while the run that makes them goes on."""
    return path.with_name(path.name + ".part")


# How much of a failure's detail goes with its verdict: what a report of CI has room for.
DETAIL_LINES = 25
DETAIL_COLUMNS = 200


def shortened(detail):
    lines = [line[:DETAIL_COLUMNS] for line in detail.splitlines()]
    if len(lines) > DETAIL_LINES:
        lines[DETAIL_LINES - 1:] = [f"... {len(lines) - DETAIL_LINES + 1} more lines"]
    return "\n".join(lines)


class Results:
    """One line per verdict: kind, name, reason, and of a failure its detail in JSON, between tabs; before them "# " and the kernel it ran on, if that is known.
    Lines that begin with "#!" are notes for people, "#=" a number that is known when all has run: its name and value.

    The file appears whole or not at all; until then its lines are in `part_of(path)`, each on the disk as soon as it is
    known, so that a run whose machine dies can be taken up where it was."""

    def __init__(self, path: pathlib.Path, kernel="", resume=False):
        self.path = path
        self.lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        part = part_of(path)
        before = [line for line in whole_lines(part) if resume]
        self.known = [verdict_of(line) for line in before if not line.startswith("#")]
        self.file = open(part, "w", encoding="utf-8")
        self.write("".join(before) if before else f"# {kernel}\n" if kernel else "")

    def write(self, line):
        with self.lock:
            self.file.write(line)
            self.file.flush()
            os.fsync(self.file.fileno())

    def note(self, text):
        self.write(f"#! {text}\n")

    def add(self, verdict):
        reason = " ".join(verdict.reason.split())
        detail = "\t" + json.dumps(shortened(verdict.detail)) if verdict.kind is Kind.FAIL and verdict.detail else ""
        self.write(f"{verdict.kind.value}\t{verdict.name}\t{reason}{detail}\n")

    def finish(self, **numbers):
        """In order of names: verdicts came as their scripts ended. `numbers`: what read_number() finds."""
        for name, value in numbers.items():
            self.write(f"#= {name} {value:.0f}\n")
        self.file.close()
        part = part_of(self.path)
        lines = whole_lines(part)
        heads = [line for line in lines if line.startswith("#")]
        rows = sorted((line for line in lines if not line.startswith("#")), key=lambda line: line.split("\t")[1:2])
        part.write_text("".join(heads + rows), encoding="utf-8")
        part.rename(self.path)


def write_results(path: pathlib.Path, verdicts, kernel="", **numbers):
    results = Results(path, kernel)
    for verdict in verdicts:
        results.add(verdict)
    results.finish(**numbers)


def whole_lines(path: pathlib.Path):
    """The lines of a file, if there is one; not a last one that its writer did not come to the end of."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [line for line in text.splitlines(keepends=True) if line.endswith("\n")]


def verdict_of(line):
    kind, name, reason, *detail = line.rstrip("\n").split("\t", 3)
    return Verdict(Kind(kind), name, reason, json.loads(detail[0]) if detail else "")


def read_results(path: pathlib.Path):
    return [verdict_of(line) for line in whole_lines(path) if not line.startswith("#")]


def this_kernel():
    """What read_kernel() finds in results of this machine: the kernel and the processor."""
    return f"{os.uname().release} {os.uname().machine}"


def read_kernel(path: pathlib.Path):
    """The kernel that the results in a file are of; "" if it does not say."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            return line[1:].strip()
    return ""


def read_number(path: pathlib.Path, name):
    """The sum, because a run that was taken up again has one of each part; 0 if the file has none."""
    rows = [line.split() for line in whole_lines(path) if line.startswith("#=")]
    return sum(int(row[2]) for row in rows if row[1] == name)


def read_notes(path: pathlib.Path):
    return [line[2:].strip() for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#!")]
