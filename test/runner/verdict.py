# SPDX-License-Identifier: Apache-2.0
"""What came of one script, and the file that carries verdicts from golden.py to summary.py."""

import dataclasses
import enum
import pathlib


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


def write_results(path: pathlib.Path, verdicts, kernel=""):
    """One line per verdict: kind, name, reason, between tabs; before them the kernel it ran on, if that is known. The
    file appears whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [f"# {kernel}\n"] if kernel else []
    for verdict in verdicts:
        reason = " ".join(verdict.reason.split())
        rows.append(f"{verdict.kind.value}\t{verdict.name}\t{reason}\n")
    scratch = path.with_name(path.name + ".new")
    scratch.write_text("".join(rows), encoding="utf-8")
    scratch.rename(path)


def read_results(path: pathlib.Path):
    verdicts = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        kind, name, reason = line.split("\t", 2)
        verdicts.append(Verdict(Kind(kind), name, reason))
    return verdicts


def read_kernel(path: pathlib.Path):
    """The kernel that the results in a file are of; "" if it does not say."""
    with open(path, encoding="utf-8") as file:
        line = file.readline()
    return line[1:].strip() if line.startswith("#") else ""
