#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs scripts with expected output against a dtrace, and prints what differed.

    golden.py --dtrace build/release/bin/dtrace test/golden/aggs            a topic
    golden.py --dtrace build/release/bin/dtrace test/golden/aggs/tst.x.d    one script

The conventions (file names, `@@` options, `.r`, `.r.p`, `.x`) are those of the public DTrace suites and are
written down in test/golden/README.md. Exit status: 0 nothing failed, 1 something did, 77 everything was skipped.
With DTRACE_VM_ONLY in the environment, scripts that this machine does not allow are left out, and not skipped: `check`
sets it where it has them run in a virtual machine.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import os
import pathlib
import sys
import threading
import time

import capabilities
import case
import execute
import locks
from history import History
from verdict import Kind, Results, Verdict, this_kernel


def parse_arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dtrace", required=True, metavar="PATH", help="the command under test")
    parser.add_argument("--triggers", metavar="DIR",
                        help="folder of the trigger programs (default: test/triggers beside the bin of --dtrace)")
    parser.add_argument("--results", metavar="FILE", help="write one line per script: verdict, name, reason")
    parser.add_argument("--resume", action="store_true",
                        help="scripts that an earlier run with the same --results came to are not run again")
    parser.add_argument("-j", "--jobs", type=int, default=1, metavar="N", help="scripts at a time (default 1)")
    parser.add_argument("--timeout-factor", type=float, default=1.0, metavar="F", help="multiply every timeout")
    parser.add_argument("--sanitized", action="store_true", help="the command is built with sanitizers; scripts see $sanitized")
    parser.add_argument("--tags", metavar="A,B", default="", help="only scripts with one of these @@tags")
    parser.add_argument("--without-tags", metavar="A,B", default="", help="no script with one of these @@tags")
    parser.add_argument("--languages", metavar="d,sh", default="d,sh", help="only scripts written in one of these")
    parser.add_argument("--leave-out", metavar="A,B", default="",
                        help="nor one with these; the results say how many there were")
    parser.add_argument("--part", metavar="K/N", type=part,
                        help="of scripts with @@parts every Nth section, from the Kth on, and every Nth of those with @@shared; "
                             "the results say how many there were")
    parser.add_argument("--again", action="store_true",
                        help="scripts that fail run once more, alone, at the end: where much else goes on; the results say "
                             "which passed only then")
    parser.add_argument("--history", metavar="FOLDER",
                        help="a file there, named as that of --results, keeps the second tries of the last runs: a script "
                             "that needs one again fails")
    parser.add_argument("--check-cache", metavar="FOLDER", default="",
                        help="compiled programs are kept in FOLDER and, when they are found there, compiled all the same "
                             "and compared: run a topic twice, and a difference fails")
    parser.add_argument("--may-decline", type=int, default=0, metavar="N",
                        help="the command ends with status 77 where it cannot run a script, which is left out then; fewer "
                             "than N that passed are an error")
    parser.add_argument("--regenerate", action="store_true",
                        help="write the .r files that differ; the script still fails, so that the diff gets read")
    parser.add_argument("-v", "--verbose", action="store_true", help="print the output of every script")
    parser.add_argument("paths", nargs="+", type=pathlib.Path, help="scripts or folders")
    return parser.parse_args(argv)


def part(text):
    turn, _, parts = text.partition("/")
    if not (turn.isdigit() and parts.isdigit() and 1 <= int(turn) <= int(parts)):
        raise argparse.ArgumentTypeError(f"`{text}` is not K/N with K from 1 to N")
    return text


def chosen(test, wanted, unwanted):
    return (not wanted or wanted & test.options.tags) and not unwanted & test.options.tags


def shares(tests, part):
    """What is not shared, and every Nth of the scripts that are, from the Kth on."""
    turn, parts = map(int, part.split("/"))
    others = [test for test in tests if test.options.shared]
    mine = {test.name for test in others[turn - 1::parts]}
    return [test for test in tests if not test.options.shared or test.name in mine]


def words(text):
    return {word for word in text.split(",") if word}


# How a script ends that a sanitizer ends (CMakeLists.txt sets the status): its finding stands, whatever a second run shows.
FINDING = "exit status 99,"


def deserves_another(verdict):
    return verdict is not None and verdict.kind is Kind.FAIL and FINDING not in verdict.reason


def now():
    return time.strftime("%Y-%m-%d %H:%M:%S")


class Queue:
    """Scripts in their order, each with its locks. A script whose lock another run holds does not keep the others waiting."""

    def __init__(self, tests):
        self.waiting = collections.deque(enumerate(tests))
        self.mutex = threading.Lock()

    def next(self):
        """Number, script and its locks, which the caller closes; None when there are no more."""
        with self.mutex:
            if not self.waiting:
                return None
            for each in self.waiting:
                held = locks.take_now(each[1].options.locks)
                if held is not None:
                    self.waiting.remove(each)
                    return *each, held
            each = self.waiting.popleft()
        return *each, locks.take(each[1].options.locks)


class Reporter:
    """Prints verdicts as they come, one whole verdict at a time."""

    def __init__(self, out, verbose):
        self.out = out
        self.verbose = verbose
        self.lock = threading.Lock()

    def report(self, verdict):
        with self.lock:
            line = f"{verdict.kind.name:4} {verdict.name} ({verdict.seconds:.1f} s)"
            if verdict.reason:
                line += f": {verdict.reason}"
            print(line, file=self.out)
            if verdict.detail and (verdict.kind is Kind.FAIL or self.verbose):
                print("\n".join("     " + row for row in verdict.detail.rstrip("\n").split("\n")), file=self.out)
            self.out.flush()


def main(argv=None):
    arguments = parse_arguments(argv)
    dtrace = pathlib.Path(arguments.dtrace).resolve()
    if not os.access(dtrace, os.X_OK):
        print(f"golden.py: {arguments.dtrace} is not an executable", file=sys.stderr)
        return 1
    triggers = pathlib.Path(arguments.triggers) if arguments.triggers else dtrace.parent.parent / "test" / "triggers"
    setting = execute.Setting(dtrace=dtrace, triggers=triggers.resolve(), timeout_factor=arguments.timeout_factor,
                              sanitized=arguments.sanitized, privileged=capabilities.can_trace(),
                              regenerate=arguments.regenerate, part=arguments.part or "",
                              check_cache=arguments.check_cache, may_decline=arguments.may_decline > 0)

    try:
        tests = case.discover(arguments.paths)
    except case.BadTest as error:
        print(f"golden.py: {error}", file=sys.stderr)
        return 1
    wanted, unwanted = words(arguments.tags), words(arguments.without_tags)
    tests = [test for test in tests if test.language in words(arguments.languages) and chosen(test, wanted, unwanted)]
    kept = [test for test in tests if chosen(test, set(), words(arguments.leave_out))]
    # Where this machine does not let us trace, and a virtual one does it instead.
    elsewhere = os.environ.get("DTRACE_VM_ONLY") and [test for test in kept if not execute.may_run(test, setting)]
    if elsewhere:
        kept = [test for test in kept if execute.may_run(test, setting)]
    nr_left_out = len(tests) - len(kept)
    nr_shared = sum(test.options.shared for test in kept)
    if arguments.part:
        kept = shares(kept, arguments.part)
    tests = kept
    if not tests and not elsewhere:
        print("golden.py: no scripts there", file=sys.stderr)
        return 1

    began, began_at = time.monotonic(), now()
    reporter = Reporter(sys.stdout, arguments.verbose)
    results = None
    known = []
    if arguments.results:
        results = Results(pathlib.Path(arguments.results), this_kernel(), arguments.resume)
        known = results.known
        nr_parted = sum(test.options.parts for test in tests)
        is_part = arguments.part and not arguments.part.endswith("/1")
        if is_part and nr_parted and not known:
            results.note(f"of {nr_parted} scripts part {arguments.part} of their sections ran, as the kernels share them")
        if is_part and nr_shared and not known:
            results.note(f"of {nr_shared} scripts about programs part {arguments.part} ran, as the kernels share them")
        tests = [test for test in tests if test.name not in {verdict.name for verdict in known}]

    def finish(verdict):
        reporter.report(verdict)
        if results:
            results.add(verdict)
        return verdict

    def run(test, held) -> Verdict:
        with held:
            verdict = execute.run_test(test, setting)
        if verdict is None:
            return None
        if not arguments.again or not deserves_another(verdict):
            return finish(verdict)
        reporter.report(verdict)
        return verdict

    def run_again(test, first, history) -> Verdict:
        with locks.take(test.options.locks):
            verdict = execute.run_test(test, setting)
        if verdict.kind is Kind.PASS:
            too_often = history.add(test.name, first.reason) if history else ""
            if too_often:
                verdict = dataclasses.replace(first, reason=too_often)
            elif results:
                results.note(f"{test.name} passed only when it ran again, alone; before: {first.reason}")
        return finish(verdict)

    queue = Queue(tests)
    verdicts = [None] * len(tests)

    def run_some(_):
        while taken := queue.next():
            number, test, held = taken
            verdicts[number] = run(test, held)

    jobs = max(1, arguments.jobs)
    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        list(pool.map(run_some, range(jobs)))
    if arguments.again:
        history = results and arguments.history and History(pathlib.Path(arguments.history) / results.path.name, began_at)
        for i, (test, first) in enumerate(zip(tests, verdicts)):
            if deserves_another(first):
                verdicts[i] = run_again(test, first, history)
        if history:
            history.finish()
    verdicts = known + verdicts
    nr_declined = verdicts.count(None)
    verdicts = [verdict for verdict in verdicts if verdict]

    if results:
        results.finish(seconds=time.monotonic() - began, left_out=nr_left_out + nr_declined)
    count = {kind: sum(verdict.kind is kind for verdict in verdicts) for kind in Kind}
    print(f"{count[Kind.PASS]} passed, {count[Kind.FAIL]} failed, {count[Kind.SKIP]} skipped")
    if elsewhere:
        print(f"{len(elsewhere)} left to a virtual machine")
    if arguments.may_decline:
        print(f"{nr_declined} declined")
    if count[Kind.FAIL]:
        return 1
    if count[Kind.PASS] < arguments.may_decline:
        print(f"golden.py: {arguments.may_decline} scripts or more were to pass", file=sys.stderr)
        return 1
    return 0 if count[Kind.PASS] or elsewhere else 77


if __name__ == "__main__":
    sys.exit(main())
