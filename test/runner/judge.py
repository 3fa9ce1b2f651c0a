# SPDX-License-Identifier: Apache-2.0
"""Whether what a script did is what its name and its .r file say. The comparison is byte for byte."""

import dataclasses
import difflib
import re
import signal
import subprocess

from process import executable

STDERR_MARK = b"-- @@stderr --\n"
SECTION = re.compile(rb"^== ", re.MULTILINE)
FILTER_TIMEOUT_S = 120
MAX_DIFF_LINES = 200
MAX_TRANSCRIPT_BYTES = 16 * 1024

SANITIZER = re.compile(rb"SUMMARY: \w+Sanitizer|==ERROR: \w+Sanitizer|:\d+:\d+: runtime error: ")

# Notices on stderr that say nothing about the test: a .r without a stderr part need not spell them out.
NOTICE = re.compile(rb"dtrace: (?:(?:script|description) '.*' matched \d+ probes?"
                    rb"|allowing destructive actions|pid \d+ has exited)\n")


@dataclasses.dataclass(frozen=True)
class Failure:
    reason: str
    detail: str = ""


def text(data):
    return data.decode("utf-8", errors="backslashreplace")


def transcript(outcome):
    parts = []
    for title, data in (("stdout", outcome.stdout), ("stderr", outcome.stderr)):
        if data:
            cut = data[:MAX_TRANSCRIPT_BYTES]
            parts.append(f"-- {title} --\n{text(cut)}" + ("" if cut.endswith(b"\n") else "\n"))
            if len(cut) < len(data):
                parts.append(f"... {len(data) - len(cut)} bytes more\n")
    return "".join(parts)


def status_text(status):
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"killed by signal {-status}"


def terminated(data):
    return data if not data or data.endswith(b"\n") else data + b"\n"


def diff(expected, actual):
    rows = list(difflib.unified_diff(text(expected).split("\n"), text(actual).split("\n"), "expected", "actual",
                                     lineterm=""))
    more = len(rows) - MAX_DIFF_LINES
    return "\n".join(rows[:MAX_DIFF_LINES] + ([f"... {more} lines more"] if more > 0 else []))


def unexpected_stderr(stderr):
    return NOTICE.sub(b"", stderr)


def sorted_lines(data):
    return b"".join(sorted(data.splitlines(keepends=True)))


def sections_of_part(expected, part):
    """What is expected of a run that did every Nth section only. A section begins with a line `== NAME`; what stands before
    the first is for all."""
    if not part:
        return expected
    turn, parts = map(int, part.split("/"))
    expected, mark, errors = expected.partition(STDERR_MARK)
    starts = [match.start() for match in SECTION.finditer(expected)] + [len(expected)]
    sections = [expected[begin:end] for begin, end in zip(starts, starts[1:])]
    return expected[:starts[0]] + b"".join(sections[turn - 1::parts]) + mark + errors


def compare(test, outcome, env, regenerate):
    """Compares with the .r file, which must exist."""
    path = test.beside(".r")
    expected = sections_of_part(path.read_bytes(), env.get("part"))
    names_stderr = STDERR_MARK in expected
    actual = outcome.stdout
    if names_stderr:
        actual = terminated(actual) + STDERR_MARK + outcome.stderr

    reviser = test.beside(".r.p")
    if reviser:
        try:
            answer = subprocess.run(executable(reviser), input=actual, env=env, cwd=test.path.parent,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=FILTER_TIMEOUT_S,
                                    check=False)
        except subprocess.TimeoutExpired:
            return Failure(f"{reviser.name} did not end within {FILTER_TIMEOUT_S} s")
        if answer.returncode != 0:
            return Failure(f"{reviser.name}: {status_text(answer.returncode)}", text(answer.stderr))
        actual = answer.stdout

    if test.options.sort:
        expected, actual = sorted_lines(expected), sorted_lines(actual)
    if actual != expected:
        if regenerate:
            path.write_bytes(actual)
            return Failure(f"{path.name} written anew: read the difference", diff(expected, actual))
        detail = diff(expected, actual)
        if not names_stderr and outcome.stderr:
            detail += f"\n-- stderr --\n{text(outcome.stderr[:MAX_TRANSCRIPT_BYTES])}"
        return Failure(f"output differs from {path.name}", detail)
    if not names_stderr and test.kind == "tst" and unexpected_stderr(outcome.stderr):
        return Failure(f"{path.name} has no stderr part, but there is something on stderr", transcript(outcome))
    return None


def judge(test, outcome, env, regenerate=False):
    """Returns the Failure, or None if the script did what was expected."""
    if outcome.timed_out:
        return Failure(f"timed out after {outcome.timeout_s:g} s", transcript(outcome))
    if SANITIZER.search(outcome.stderr):
        return Failure("a sanitizer reported", transcript(outcome))
    if outcome.status != test.expected_status:
        return Failure(f"{status_text(outcome.status)}, expected {test.expected_status}", transcript(outcome))
    if test.tag and f"[{test.tag}]".encode() not in outcome.stderr:
        return Failure(f"[{test.tag}] is not on stderr", transcript(outcome))
    if test.beside(".r"):
        return compare(test, outcome, env, regenerate)
    if regenerate and test.kind == "tst":
        test.path.with_suffix(".r").write_bytes(outcome.stdout)
        return Failure("output written for the first time: read it", transcript(outcome))
    return None
