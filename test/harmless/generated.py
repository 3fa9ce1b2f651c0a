#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes programs of the pieces in `pieces`, and runs each without probes and with some on all of its functions: it prints the
same, ends the same, and leaves the same files.

    test/harmless/generated.py --dtrace build/release/bin/dtrace --seeds 200              seeds 0 to 199
    test/harmless/generated.py --dtrace build/release/bin/dtrace --first 1000 --seeds 50
    test/harmless/generated.py --dtrace build/release/bin/dtrace --short                  what ./check runs
    test/harmless/generated.py --dtrace build/release/bin/dtrace --first 17 --seeds 1 --keep /tmp/made --narrow

A seed says everything about its program. `--keep` leaves it, `--narrow` finds the probes that do harm. Exit status 1: one was
harmed."""

import argparse
import pathlib
import shutil
import signal
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parent.parent / 'runner')]
import capabilities
import made
import narrow
import runs
import verdict

# What is probed, and how; the first one for every seed, the others in turn. A value takes other ways than a count does.
VALUES = '{ @[probename] = count(); @values = sum(arg0 + arg1); }' + runs.REPORT
WAYS = (
    ('functions', runs.ENTRY_AND_RETURN),
    ('values', runs.BOTH + VALUES),
    ('instructions', 'pid$target:a.out:: { @["inside"] = count(); }' + runs.REPORT),
    ('returns', 'pid$target:::return ' + runs.COUNT),
    ('every process', 'pid*:FOLDER/program::entry, pid*:FOLDER/program::return, pid*:FOLDER/lib*::return ' + runs.COUNT),
)
# They have each compiler, each kind of program and each piece at least once, and lazy binding.
SHORT_SEEDS = (3, 7, 105, 116, 290)
# A static program sorts all its rules of unwinding at the first exception, by calls that are all traced.
TIMEOUT_S = 600


def try_seed(options, seed, work):
    """Verdicts of one seed, one for each way, and the program; nothing if it was not made."""
    program = made.Program(seed)
    folder = runs.empty_folder(work / str(seed))
    path = program.make(folder)
    if not isinstance(path, pathlib.Path):
        return [verdict.Verdict(verdict.Kind.FAIL, f'seed {seed}', 'was not made: ' + path)], program
    command = [str(path), 'argument']
    expected, again = (runs.alone(command, folder, timeout_s=TIMEOUT_S) for _ in range(2))
    wobbling = runs.differences(expected, again)
    if wobbling or expected.status is None or expected.status < 0:
        reason = wobbling[0] if wobbling else runs.describe_status(expected.status)
        return [verdict.Verdict(verdict.Kind.FAIL, f'seed {seed}', 'without dtrace: ' + reason)], program
    found = []
    for name, text in (WAYS[0], WAYS[1 + seed % (len(WAYS) - 1)]):
        seen = runs.traced(options.dtrace, text.replace('FOLDER', str(folder)), command, folder, timeout_s=TIMEOUT_S)
        wrong = runs.differences(expected, seen)
        if not wrong:
            wrong = [] if sum(seen.counts.values()) else ['no firings']
            wrong += [f'lost: {loss}' for loss in seen.losses] + seen.messages
        found.append(verdict.Verdict(verdict.Kind.FAIL if wrong else verdict.Kind.PASS, f'seed {seed}, {name}',
                                     wrong[0] if wrong else '', '\n'.join(wrong + [program.describe()]), seen.seconds))
    return found, program


def find_harm(options, seed, work):
    folder = work / str(seed)
    command = [str(folder / 'program'), 'argument']
    expected = runs.alone(command, folder, timeout_s=TIMEOUT_S)
    narrow.report(options.dtrace, command,
                  lambda text: runs.is_harmed(expected, runs.traced(options.dtrace, text, command, folder, timeout_s=TIMEOUT_S)),
                  work, folder)


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--dtrace', type=pathlib.Path, required=True)
    parser.add_argument('--first', type=int, default=0)
    parser.add_argument('--seeds', type=int, default=20)
    parser.add_argument('--short', action='store_true')
    parser.add_argument('--narrow', action='store_true')
    parser.add_argument('--keep', type=pathlib.Path)
    parser.add_argument('--results', type=pathlib.Path)
    options = parser.parse_args(arguments)
    options.dtrace = options.dtrace.resolve()
    return options


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what runs is ended as well
    options = parse(sys.argv[1:])
    refusal = capabilities.refusal() or ('' if made.compilers() else 'no compiler is installed')
    if refusal:
        print(f'nothing can be tried: {refusal}')
        return 77
    verdicts = []
    with tempfile.TemporaryDirectory(prefix='dtrace-made.') as temporary:
        work = options.keep or pathlib.Path(temporary)
        for seed in SHORT_SEEDS if options.short else range(options.first, options.first + options.seeds):
            found, program = try_seed(options, seed, work)
            verdicts += found
            harmed = [each for each in found if each.kind is verdict.Kind.FAIL]
            for each in harmed:
                print(f'{each.name}: {each.reason}', flush=True)
            if harmed:
                print(f'    {program.describe()}', flush=True)
            if harmed and options.narrow and len(found) > 1:
                find_harm(options, seed, work)
            if not options.keep:
                shutil.rmtree(work / str(seed), ignore_errors=True)
    count = {kind: sum(1 for each in verdicts if each.kind is kind) for kind in verdict.Kind}
    print(f'{count[verdict.Kind.PASS]} runs the same, {count[verdict.Kind.FAIL]} not')
    if options.results:
        verdict.write_results(options.results, verdicts)
    return 1 if count[verdict.Kind.FAIL] else 0


if __name__ == '__main__':
    sys.exit(main())
