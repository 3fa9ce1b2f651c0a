#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs of the distribution do with a probe at the entry and the return of every function what they do without: the same
output, messages, exit status and files.

    test/harmless/programs.py --dtrace build/release/bin/dtrace                    all of jobs.py that are installed: many minutes
    test/harmless/programs.py --dtrace build/release/bin/dtrace --short            those that ./check runs
    test/harmless/programs.py --dtrace build/release/bin/dtrace --narrow lua       the probes that do harm, by halves
    test/harmless/programs.py --packages                                           what to install for all of them

Prints for each: files that have probes, probes, firings, seconds without and with, and the verdict. Exit status 1: one was harmed."""

import argparse
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parent.parent / 'runner')]
import capabilities
import jobs
import narrow
import runs
import verdict


# A process waits in its linker for the probes of what it loads, but not for ever: on a busy machine it goes on before they are
# set, which the ledger says.
LATE = 'LateSites'


def prepared(job, work):
    """A folder as the job wants it, to be copied for each run; a text: it cannot be made."""
    folder = runs.empty_folder(work / 'prepared')
    if job.setup:
        done = subprocess.run(['bash', '-e', '-c', job.setup], cwd=folder, env=runs.environment(dict(job.env)), capture_output=True, text=True, check=False)
        if done.returncode:
            return f'its input cannot be made: {(done.stderr.strip().splitlines() or ["no message"])[-1]}'
    return folder


class Bench:
    """A job and where it runs: each run has the same folder, as names of files are in what it prints."""

    def __init__(self, job, dtrace, work):
        self.job, self.dtrace, self.work = job, dtrace, work
        self.problem = None
        made = prepared(job, work)
        self.template = made if isinstance(made, pathlib.Path) else None
        self.problem = made if self.template is None else None

    def folder(self):
        folder = self.work / 'run'
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.template, folder, symlinks=True)
        return folder

    def without(self, outcome):
        for pattern in self.job.ignore:
            outcome.files = {name: checksum for name, checksum in outcome.files.items() if not pathlib.PurePath(name).match(pattern)}
        return outcome

    def alone(self):
        return self.without(runs.alone(self.job.words(), self.folder(), env=dict(self.job.env), stdin=self.job.stdin.encode()))

    def traced(self, program=runs.ENTRY_AND_RETURN):
        return self.without(runs.traced(self.dtrace, program, self.job.words(), self.folder(), env=dict(self.job.env),
                                        stdin=self.job.stdin.encode(), timeout_s=self.job.timeout_s, options=self.job.options))

    def nr_files(self):
        return len({module for module, _, _ in narrow.probes_of(self.dtrace, self.job.words(), self.folder(), dict(self.job.env))})

    def is_harmed(self, program, expected):
        return runs.is_harmed(expected, self.traced(program), self.job.hide)


def try_job(bench):
    """A verdict and a row of the table."""
    job = bench.job
    if not job.program():
        return verdict.Verdict(verdict.Kind.SKIP, job.name, f'{job.package} is not installed'), []
    if bench.problem:
        return verdict.Verdict(verdict.Kind.SKIP, job.name, bench.problem), []
    expected, again = bench.alone(), bench.alone()
    wobbling = runs.differences(expected, again, job.hide)
    if wobbling:
        return verdict.Verdict(verdict.Kind.FAIL, job.name, 'does not do the same twice without dtrace: ' + wobbling[0]), []
    seen = bench.traced()
    wrong = runs.differences(expected, seen, job.hide)
    if not wrong:
        wrong = [f'no firing of {name}' for name in ('entry', 'return') if not seen.counts.get(name)]
        wrong += [f'lost: {loss}' for loss in seen.losses if loss['cause'] != LATE]
        wrong += seen.messages
        if seen.dtrace_status:
            wrong.append(f'dtrace: {runs.describe_status(seen.dtrace_status)}')
    columns = [seen.nr_probes, *(seen.counts.get(name, 0) for name in ('entry', 'return')), f'{expected.seconds:.2f}', f'{seen.seconds:.1f}']
    kind = verdict.Kind.FAIL if wrong else verdict.Kind.PASS
    late = [f"probes of {loss['file']} came {loss['longest_ns'] / 1e9:.1f} s late" for loss in seen.losses if loss['cause'] == LATE]
    return verdict.Verdict(kind, job.name, (wrong + late + [''])[0], '\n'.join(wrong + seen.messages), seen.seconds), columns


def line(name, columns, verdict_text):
    return f'{name:26}' + ''.join(f'{column:>9}' for column in columns + [''] * (6 - len(columns))) + '  ' + verdict_text


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--dtrace', type=pathlib.Path)
    parser.add_argument('--short', action='store_true')
    parser.add_argument('--narrow', action='store_true')
    parser.add_argument('--packages', action='store_true')
    parser.add_argument('--results', type=pathlib.Path)
    parser.add_argument('name', nargs='*')
    return parser.parse_args(arguments)


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what runs is ended as well
    options = parse(sys.argv[1:])
    wanted = [job for job in jobs.TABLE if (job.name in options.name or not options.name) and (job.short or not options.short)]
    if options.packages:
        print(*sorted({job.package for job in wanted} | {'libc6-dbg'}))
        return 0
    unknown = set(options.name) - {job.name for job in wanted}
    if unknown or not options.dtrace:
        print(f'no job {", ".join(sorted(unknown))}' if unknown else 'say which dtrace: --dtrace FILE', file=sys.stderr)
        return 2
    refusal = capabilities.refusal()
    if refusal:
        print(f'this machine does not let us trace: {refusal}')
        return 77
    verdicts = []
    print(line('program', ['files', 'probes', 'entries', 'returns', 'alone s', 'traced s'], 'verdict'), flush=True)
    for job in wanted:
        with tempfile.TemporaryDirectory(prefix='dtrace-harmless.') as work:
            bench = Bench(job, options.dtrace.resolve(), pathlib.Path(work))
            result, columns = try_job(bench)
            verdicts.append(result)
            files = bench.nr_files() if columns and not options.short else ''
            print(line(job.name, [files, *columns], result.kind.value + (': ' if result.reason else '') + result.reason), flush=True)
            if options.narrow and result.kind is verdict.Kind.FAIL and columns:
                expected = bench.alone()
                narrow.report(bench.dtrace, job.words(), lambda program, bench=bench, expected=expected: bench.is_harmed(program, expected),
                              pathlib.Path(work), bench.folder())
    count = {kind: sum(1 for each in verdicts if each.kind is kind) for kind in verdict.Kind}
    print(f'{count[verdict.Kind.PASS]} the same, {count[verdict.Kind.FAIL]} not, {count[verdict.Kind.SKIP]} skipped')
    if options.results:
        verdict.write_results(options.results, verdicts)
    return 1 if count[verdict.Kind.FAIL] else 0


if __name__ == '__main__':
    sys.exit(main())
