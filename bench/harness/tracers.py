# SPDX-License-Identifier: Apache-2.0
"""The three tracers: how each is started on a row's program, and how what it printed is added up."""

import os
import platform
import re
import shlex

from .process import BenchError, Process

# Numbers of the system calls in the rows, for the limit programs.
NUMBERS = {
    'x86_64': {'sched_get_priority_max': 146, 'sethostname': 170},
    'aarch64': {'sched_get_priority_max': 125, 'sethostname': 161},
}


def number_of(call):
    return NUMBERS[platform.machine()][call]


class Limit:
    name = 'limit'

    def __init__(self, build):
        self.binary = os.path.join(build, 'limit')

    def program(self, row):
        return row.get('limit')

    def argv(self, row, extra=()):
        argv = [self.binary, row['limit'], '--nr', str(number_of(row.get('call', 'sched_get_priority_max')))]
        return argv + list(row.get('limit_options', ())) + list(extra)

    def start(self, row, out_path=None):
        process = Process(self.argv(row), out_path=out_path)
        process.wait_for(b'ready\n', 30)
        return process

    def startup_argv(self, row=None):
        return [self.binary, 'startup']

    @staticmethod
    def total(out):
        found = re.findall(r'^total (\d+)$', out, re.M)
        return int(found[-1]) if found else None

    @staticmethod
    def lost(err):
        return sum(int(n) for n in re.findall(r'^lost (\d+)$', err, re.M))


class Dtrace:
    name = 'ours'

    def __init__(self, command):
        self.command = shlex.split(command)

    def program(self, row):
        return row.get('d')

    def argv(self, program, options=()):
        # Other tracers compile at each start; what it saves to do without is a row of its own.
        options = ['-x', 'cache=off', *options]
        return self.command + ['-q'] + options + ['-n', program]

    def start(self, row, out_path=None, options=None):
        program = 'BEGIN { printf("ready\\n"); } ' + row['d']
        # The first line comes at once, not at the next switch of buffers a second later.
        if options is None:
            options = row.get('d_options', ())
        process = Process(self.argv(program, options), out_path=out_path)
        process.wait_for(b'ready\n', 30)
        return process

    def startup_argv(self, row=None):
        row = row or {}
        return self.argv(row.get('d', 'BEGIN { exit(0); }'), row.get('d_options', ()))

    @staticmethod
    def total(out):
        """Sum of the counts of a printed aggregation, whatever its keys. None when it printed none."""
        body = out.replace('ready\n', '', 1)
        numbers = [int(n) for n in re.findall(r'^(?:.*\s)?(-?\d+)[ \t]*$', body, re.M)]
        return sum(numbers) if numbers else None

    @staticmethod
    def lost(err):
        return sum(int(n) for n in re.findall(r'(\d+) (?:aggregation |dynamic variable )?drops?\b', err))


class Bpftrace:
    name = 'bpftrace'

    def __init__(self, command):
        self.command = shlex.split(command)

    def program(self, row):
        return row.get('bt')

    def argv(self, program, options=()):
        return self.command + ['-B', 'line'] + list(options) + ['-e', program]

    def start(self, row, out_path=None):
        process = Process(self.argv('BEGIN { printf("ready\\n"); } ' + row['bt']), env=row.get('bt_env'), out_path=out_path)
        process.wait_for(b'ready\n', row.get('bt_timeout', 60))
        return process

    def startup_argv(self, row=None):
        """Nothing: it has no program that does the same."""
        if row and 'd' in row and 'bt' not in row:
            return None
        return self.argv('BEGIN { exit(); }')

    @staticmethod
    def total(out):
        numbers = [int(n) for n in re.findall(r'^@.*: (\d+)$', out, re.M)]
        numbers += [int(n) for n in re.findall(r'^[\[(].*[\])] +(\d+) \|', out, re.M)]
        return sum(numbers) if numbers else None

    @staticmethod
    def lost(err):
        return sum(int(n) for n in re.findall(r'[Ll]ost (\d+) events', err))


def for_workload(row, workload):
    """The row with the traced program filled in where its texts say PID and BINARY."""
    def fill(text):
        return text.replace('@PID@', str(workload.pid)).replace('@BINARY@', workload.binary)

    filled = {key: fill(row[key]) for key in ('d', 'bt') if key in row}
    return {**row, **filled, 'limit_options': tuple(fill(o) for o in row.get('limit_options', ()))}


def arm(tracer, row, workload, bare_ns, out_path=None):
    """Starts the tracer and makes sure that the workload's calls really pass through it."""
    row = for_workload(row, workload)
    process = tracer.start(row, out_path=out_path)
    kind = row.get('kind', 'traced')
    # A short batch is dearer than a long one by itself, and a false predicate costs ten nanoseconds.
    for _ in range(2000):
        least, _ = workload.batch(kind, 50, 3)
        if least > bare_ns + 5:
            return process
        if process.has_ended():
            break
    process.kill()
    process.finish()
    raise BenchError(f'{tracer.name}: ready, but no probe is in place: {process.complaint()}')
