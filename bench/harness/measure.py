# SPDX-License-Identifier: Apache-2.0
"""How each kind of row is measured. Every function takes (bench, row) and returns a list of Lines of the table.

What a reader would get wrong: the order. Within a row the tracers take turns, round after round, each with the bare
loop just before it, so that a slow minute of the machine falls on all of them alike. A figure is the least of all
rounds: the same program costs 20 ns more or less from one attachment to the next, and only many attachments find the
lower state for both sides of a ratio.
"""

import os
import re

import tempfile
import time

from .process import BenchError, Process, ProgStats, Workload, launch
from .tracers import arm as arm_tracer, for_workload

PERF_EVENT = 7  # BPF_PROG_TYPE_PERF_EVENT
RECORD = re.compile(rb'^\d+ \d+ \d+$', re.M)


class Line:
    """One line of the table. `values` is by tracer name; `goal` is (ratio to what, greatest)."""

    def __init__(self, name, title, unit, goal=None, recorded=None):
        self.name = name
        self.title = title
        self.unit = unit
        self.goal = goal
        self.recorded = recorded
        self.bare = None
        self.values = {}
        self.rounds = {}
        self.notes = []
        self.failures = {}  # tracer name -> what went wrong with it

    def add(self, tracer, value):
        self.rounds.setdefault(tracer, []).append(value)
        self.values[tracer] = min(self.rounds[tracer])

    def ratio(self, over):
        ours, other = self.values.get('ours'), self.values.get(over)
        if ours is None or not other:
            return None
        return ours / other

    def verdict(self):
        """'pass', 'FAIL', or '' when there is no goal or nothing to compare with."""
        if 'ours' in self.failures:
            return 'FAIL'
        if not self.goal or self.values.get('ours') is None:
            return ''
        over, most = self.goal
        if over == 'exact':
            return 'pass'
        if over == 'absolute':
            return 'pass' if self.values['ours'] <= most else 'FAIL'
        ratio = self.ratio(over)
        if ratio is None and self.recorded:
            ratio = self.values['ours'] / self.recorded
        if ratio is None:
            return ''
        return 'pass' if ratio <= most else 'FAIL'


def line_of(row, unit, **more):
    return Line(row['name'], row['title'], unit, more.get('goal', row.get('goal')), row.get('recorded'))


def in_turn(bench, row, lines, rounds, one_round):
    """Calls one_round(tracer) for each tracer in turn. A tracer that fails is noted and left out of later rounds."""
    first = lines[0]
    out = set()
    for done in range(rounds * 2):
        if done >= rounds and first.verdict() != 'FAIL':
            break  # a goal that was missed gets as many rounds again, on both sides
        for tracer in bench.tracers:
            if not tracer.program(row) or tracer.name in out:
                continue
            if tracer.name == 'bpftrace' and (done >= rounds or row.get('once') and done):
                continue
            try:
                one_round(tracer)
            except BenchError as error:
                out.add(tracer.name)
                first.failures[tracer.name] = str(error)
                Process.end_all()
        if 'ours' in out and len(bench.tracers) == 1:
            break
    return lines


def less_nothing(bench, row, line, run_ns, nothing):
    """What run_ns(tracer, row) gives for each tracer, less what it gives for the hand-written program `nothing`, in ns."""
    def one_round(tracer):
        bare = run_ns(bench.limit, nothing)
        line.bare = bare if line.bare is None else min(line.bare, bare)
        line.rounds.setdefault(tracer.name, []).append(run_ns(tracer, row))
        for name, rounds in line.rounds.items():
            line.values[name] = min(rounds) - line.bare

    return in_turn(bench, row, [line], 2 if bench.quick else 5, one_round)


def delivered(path):
    """(whole records, malformed lines) in a file of printf's records."""
    with open(path, 'rb') as file:
        data = file.read()
    lines = sum(1 for line in data.split(b'\n') if line and line != b'ready')
    whole = len(RECORD.findall(data))
    return whole, lines - whole


def check_total(tracer, row, finished, least, most):
    """The tracer counted every call since it was armed: a fast tracer that misses some is no good."""
    total = row.get('total')
    if row.get('many'):
        seen = len(re.findall(r'^\d+ \d+ \d+$', finished.out, re.M)) + tracer.lost(finished.err)
        wanted = (least, most)
    elif total and tracer.name == 'ours':
        seen = tracer.total(finished.out)
        wanted = (total(least), total(most))
    else:
        return
    if tracer.name != 'bpftrace' and (seen is None or not wanted[0] <= seen <= wanted[1]):
        raise BenchError(f'counted {seen} of {wanted[0]}')


def event(bench, row):
    """ns that a call costs its own thread above the bare call."""
    line = line_of(row, 'ns')
    kind = row.get('kind', 'traced')
    measured = row.get('measured_kind', kind)
    best = {}

    def one_round(tracer):
        workload = bench.workload
        bare_kind = bench.quiet(kind)
        bare = bench.quiet(measured)
        line.bare = bare if line.bare is None else min(line.bare, bare)
        start = workload.traced_calls
        process = arm_tracer(tracer, row, workload, bare_kind)
        armed = workload.traced_calls
        least, _ = workload.batch(measured, batches=30)
        finished = process.interrupt()
        check_total(tracer, row, finished, workload.traced_calls - armed, workload.traced_calls - start)
        best[tracer.name] = min(least, best.get(tracer.name, least))
        line.rounds.setdefault(tracer.name, []).append(least)
        for name, ns in best.items():
            line.values[name] = ns - line.bare

    return in_turn(bench, row, [line], bench.rounds, one_round)


def profile(bench, row):
    """ns that one firing's program runs, by the kernel's account, less what the account itself costs."""
    line = line_of(row, 'ns')
    nothing = {'limit': 'profile_nothing', 'name': 'profile'}

    def run_ns(tracer, program_row):
        stats = ProgStats(bench.build)
        before = set(stats.read(PERF_EVENT))
        process = tracer.start(program_row)
        windows = []
        try:
            for _ in range(20 if bench.quick else 60):
                first = stats.read(PERF_EVENT)
                bench.workload.ask('spin 40')
                last = stats.read(PERF_EVENT)
                runs = sum(last[i][0] - first.get(i, (0, 0))[0] for i in last if i not in before)
                ns = sum(last[i][1] - first.get(i, (0, 0))[1] for i in last if i not in before)
                if runs >= 20:
                    windows.append(ns / runs)
        finally:
            process.interrupt()
            stats.close()
        if not windows:
            raise BenchError('no program of it fired')
        # A window has some eighty firings: the tenth part of the windows is what a quiet machine gives.
        return sorted(windows)[len(windows) // 10]

    return less_nothing(bench, row, line, run_ns, nothing)


def program(bench, row):
    """ns that all programs of the tracer run for an event, by the kernel's account, less what the account itself costs.

    For events whose own cost is many times that of a program, and varies. Programs that run more seldom than the one
    that runs most often add what they cost for each of its runs."""
    line = line_of(row, 'ns')
    nothing = {'limit': row['nothing'], 'name': row['name']}

    def run_ns(tracer, program_row):
        stats = ProgStats(bench.build)
        process = tracer.start(program_row)
        windows = []
        try:
            ids = process.programs()
            for _ in range(10 if bench.quick else 30):
                first = stats.read(None)
                bench.workload.batch(row['kind'], calls=row['calls'], batches=3)
                last = stats.read(None)
                runs = [last[i][0] - first[i][0] for i in ids if i in first and i in last]
                ns = [last[i][1] - first[i][1] for i in ids if i in first and i in last]
                if runs and max(runs) >= 20:
                    windows.append(sum(ns) / max(runs))
        finally:
            process.interrupt()
            stats.close()
        if not windows:
            raise BenchError('no program of it fired')
        return sorted(windows)[len(windows) // 10]

    return less_nothing(bench, row, line, run_ns, nothing)


def startup(bench, row):
    """Wall, CPU and peak memory of a program that ends in BEGIN."""
    lines = {}
    for what, unit in (('wall', 'ms'), ('cpu', 'ms'), ('memory', 'MB')):
        lines[what] = Line(f'{row["name"]}-{what}', f'{row["title"]} {what}', unit, row['goals'][what],
                           row.get('recorded', {}).get(what))
    out = set()
    for _ in range(5 if bench.quick else 20):
        for tracer in bench.tracers:
            argv = tracer.startup_argv(row)
            if tracer.name in out or not argv:
                continue
            finished = launch(bench.build, argv)
            if finished.status != 0:
                out.add(tracer.name)
                for line in lines.values():
                    line.failures[tracer.name] = (finished.err.strip().splitlines() or ['failed'])[-1]
                continue
            lines['wall'].add(tracer.name, finished.wall_ns / 1e6)
            lines['cpu'].add(tracer.name, finished.cpu_ns / 1e6)
            lines['memory'].add(tracer.name, finished.peak_kib / 1024)
    return list(lines.values())


def first_event(bench, row):
    """From exec to the timestamp of the first event, with a call every 200 us."""
    line = line_of(row, 'ms')

    def one_round(tracer):
        bench.workload.send('tick 200')
        try:
            if tracer.name == 'limit':
                process = Process(tracer.argv(row))
                process.wait_for(b'ready\n', 30)
                finished = process.interrupt()
                # It says nothing of the first event: its whole life bounds it from above.
                line.add('limit', finished.wall_ns / 1e6)
                return
            process = Process(tracer.argv(tracer.program(row)))
            process.wait_for(b'first ', 60)
            finished = process.finish()
        finally:
            bench.workload.ask('pid')
            bench.workload.answer()
        seen = re.search(r'first (\d+)', finished.out)
        line.add(tracer.name, (int(seen.group(1)) - finished.started_ns) / 1e6)

    return in_turn(bench, row, [line], 3 if bench.quick else 8, one_round)


def arm_all(bench, row):
    """Life of a process that puts its probes in place, runs BEGIN { exit(0); } and ends."""
    line = line_of(row, 'ms')

    def one_round(tracer):
        if tracer.name == 'limit':
            process = tracer.start(row)
            line.add('limit', process.interrupt().wall_ns / 1e6)
            return
        if tracer.name == 'bpftrace' and bench.quick and row.get('once'):
            return
        finished = launch(bench.build, tracer.argv(tracer.program(row)), env=row.get('bt_env'), timeout=300)
        if finished.status != 0:
            raise BenchError((finished.err.strip().splitlines() or ['failed'])[-1])
        line.add(tracer.name, finished.wall_ns / 1e6)

    return in_turn(bench, row, [line], 2 if bench.quick else 5, one_round)


def exit_time(bench, row):
    line = line_of(row, 'ms')

    def one_round(tracer):
        bare = bench.quiet('traced')
        process = arm_tracer(tracer, row, bench.workload, bare)
        line.add(tracer.name, process.interrupt().exit_ns / 1e6)

    return in_turn(bench, row, [line], 3 if bench.quick else 8, one_round)


def files_of(pid, libraries):
    """The program of a process, and those of its libraries that are named."""
    files = [os.readlink(f'/proc/{pid}/exe')]
    with open(f'/proc/{pid}/maps') as maps:
        paths = [line.split()[-1] for line in maps if '/' in line and ' r-xp ' in line]
    return files + [path for path in dict.fromkeys(paths) if os.path.basename(path) in libraries]


def functions(bench, row):
    """Time to put a probe on every function of a process, and to let go of them, and what memory a probe costs.

    The process is an idle dtrace: tens of thousands of functions, and it is always there."""
    arm = line_of(row, 'ms')
    disarm = Line('functions-exit', f'{row["title"]}: gone', 'ms', row['goal'])
    memory = Line('functions-memory', f'{row["title"]}: memory', 'B/probe')
    ours = next((t for t in bench.tracers if t.name == 'ours'), None)
    if ours is None:
        return [arm]
    target = Process(ours.argv('BEGIN { printf("ready\\n"); } tick-1h { exit(0); }'))
    target.wait_for(b'ready\n', 30)
    pid = target.process.pid
    files = files_of(pid, row['libraries'])
    wanted = ', '.join(f'pid{pid}:{module}::entry' for module in ['a.out'] + [os.path.basename(f) for f in files[1:]])
    commands = {'limit': [os.path.join(bench.build, 'user_functions'), str(pid)] + files,
                'ours': ours.argv(f'BEGIN {{ printf("ready\\n"); }} {wanted} {{ @ = count(); }}')}
    probes = 0
    try:
        for _ in range(2 if bench.quick else 4):
            for name, argv in commands.items():
                process = Process(argv)
                process.wait_for(b'ready\n', 120)
                rss = process.rss_kib()
                finished = process.interrupt(120)
                found = re.search(r'^probes (\d+)$', finished.out, re.M)
                probes = int(found.group(1)) if found else probes
                arm.add(name, finished.ready_ns / 1e6)
                disarm.add(name, finished.exit_ns / 1e6)
                memory.add(name, rss * 1024 / max(probes, 1))
    finally:
        target.interrupt()
    arm.notes.append(f'{probes} functions')
    return [arm, disarm, memory]


def run(bench, row):
    """Wall time of a command of ours."""
    line = line_of(row, 'ms')
    for tracer in bench.tracers:
        if tracer.name == 'bpftrace':
            continue
        argv = tracer.startup_argv() if tracer.name == 'limit' else tracer.command + list(row['argv'])
        for _ in range(5 if bench.quick else 20):
            finished = launch(bench.build, argv)
            if finished.status != 0:
                line.failures[tracer.name] = (finished.err.strip().splitlines() or ['failed'])[-1]
                break
            line.add(tracer.name, finished.wall_ns / 1e6)
            if tracer.name == 'ours':
                line.notes = [f'{max(len(finished.out.splitlines()) - 1, 0)} probes']
    return [line]


def unselected(bench, row):
    """ns that a call costs in a process of the same program that another process's probes leave alone."""
    line = line_of(row, 'ns')
    bare = min(bench.workload.batch('uprobe', batches=30)[0] for _ in range(3))
    line.bare = bare

    def one_round(tracer):
        other = Workload(bench.build, bench.workload.cpu)
        try:
            if tracer.name == 'limit':
                return  # it would probe every process: there is nothing to compare with
            process = tracer.start(for_workload(row, other))
            # Dearer in the other process: the probes are in place.
            if other.batch('uprobe', 50, 3)[0] < bare + 25:
                raise BenchError('ready, but no probe is in place')
            least = bench.workload.batch('uprobe', batches=30)[0]
            line.rounds.setdefault(tracer.name, []).append(least)
            line.values[tracer.name] = max(min(line.rounds[tracer.name]) - bare, 0)
            process.interrupt()
        finally:
            other.close()

    return in_turn(bench, row, [line], bench.rounds, one_round)


def disabled(bench, row):
    """ns that a disabled probe, and a disabled test for "enabled", add to an empty loop. bench/disabled_probe.py counts
    their instructions."""
    probe = line_of(row, 'ns')
    test = Line('disabled-test', 'its test for "enabled"', 'ns', row['goal'])
    least = {}
    for _ in range(bench.rounds):
        for kind in ('loop', 'loop-probe', 'loop-enabled'):
            least[kind] = min(least.get(kind, 1e9), bench.workload.batch(kind, 200_000, 10)[0])
    for line, kind in ((probe, 'loop-probe'), (test, 'loop-enabled')):
        line.bare = least['loop']
        line.values['ours'] = max(least[kind] - least['loop'], 0)
    return [probe, test]


def idle(bench, row):
    """CPU of a consumer with nothing to do, and what memory it holds then."""
    cpu = line_of(row, 'ms/s')
    memory = Line('idle-memory', 'idle consumer, memory', 'MB')

    def one_round(tracer):
        process = tracer.start(row)
        # The length of the measurement, not a wait for something: nothing happens in it.
        seconds = 2 if bench.quick else 5
        before = process.cpu_ns()
        time.sleep(seconds)
        if process.has_ended():
            raise BenchError(f'it ended by itself: {process.complaint()}')
        cpu.add(tracer.name, (process.cpu_ns() - before) / 1e6 / seconds)
        memory.add(tracer.name, process.rss_kib() / 1024)
        process.interrupt()

    in_turn(bench, row, [cpu], 1 if bench.quick else 2, one_round)
    return [cpu, memory]


class ToFile:
    """A file for a tracer's standard output, in memory where possible: a disk is not what is measured."""

    def __enter__(self):
        where = '/dev/shm' if os.access('/dev/shm', os.W_OK) else None
        fd, self.path = tempfile.mkstemp(prefix='bench-', dir=where)
        os.close(fd)
        return self.path

    def __exit__(self, *_):
        os.unlink(self.path)


def lossless(bench, row, drive, per_event):
    """Records sent = delivered + reported lost, to the last one. Shows what share was delivered."""
    line = line_of(row, '% seen')
    cost = Line(f'{row["name"]}-cpu', f'{row["title"]}: consumer CPU', 'ns/event')

    def one_round(tracer):
        with ToFile() as path:
            process = tracer.start(row, out_path=path)
            before = process.cpu_ns()
            sent, took = drive(bench.workload)
            finished = process.interrupt()
            whole, malformed = delivered(path)
            lost = tracer.lost(finished.err)
        line.rounds.setdefault(tracer.name, []).append({'sent': sent, 'delivered': whole, 'lost': lost})
        line.values[tracer.name] = 100.0 * whole / sent
        if whole:
            cost.add(tracer.name, (finished.cpu_ns - before) / whole)
        line.notes.append(f'{tracer.name}: {sent} sent at {sent / took / 1e6:.2f} M/s, {whole} delivered, {lost} reported lost')
        if malformed:
            raise BenchError(f'{malformed} malformed lines')
        if whole + lost != sent:
            raise BenchError(f'{sent - whole - lost} events unaccounted for')
        if per_event and lost and tracer.name == 'ours':
            raise BenchError(f'{lost} events lost')

    in_turn(bench, row, [line], 1, one_round)
    return [line, cost]


def rate(bench, row):
    seconds = 1 if bench.quick else 3

    def drive(workload):
        calls, took = workload.ask(f'rate {row["per_second"]} {seconds}').split()
        return int(calls), float(took)

    return lossless(bench, row, drive, True)


def overload(bench, row):
    calls = 50_000 if bench.quick else 200_000

    def drive(workload):
        sent, took = workload.ask(f'threads 4 {calls}').split()
        return int(sent), float(took)

    return lossless(bench, row, drive, False)[:1]


def sum_of_keys(path):
    """(keys, sum of counts) of a printed aggregation of one integer key."""
    keys = total = 0
    with open(path, 'rb') as file:
        for text in file:
            words = re.findall(rb'-?\d+', text)
            if len(words) == 2:
                keys += 1
                total += int(words[1])
    return keys, total


def overload_keys(bench, row):
    """More keys than there is room for: counted + reported lost = sent."""
    line = line_of(row, '% seen')

    def one_round(tracer):
        with ToFile() as path:
            process = tracer.start(row, out_path=path)
            sent = int(bench.workload.ask(f'keys {row["keys"]} 1').split()[0])
            finished = process.interrupt()
            _, total = sum_of_keys(path)
            lost = tracer.lost(finished.err)
        line.values[tracer.name] = 100.0 * total / sent
        line.notes.append(f'{tracer.name}: {sent} sent, {total} counted, {lost} reported lost')
        if total + lost != sent:
            raise BenchError(f'{sent - total - lost} events unaccounted for')

    return in_turn(bench, row, [line], 1, one_round)


def keys(bench, row):
    """All keys kept; time from Ctrl-C until all of them are printed."""
    line = line_of(row, 'ms')

    def one_round(tracer):
        with ToFile() as path:
            process = tracer.start(row, out_path=path)
            sent = int(bench.workload.ask(f'keys {row["keys"]} 1').split()[0])
            finished = process.interrupt(timeout=120)
            kept, total = sum_of_keys(path)
        line.add(tracer.name, finished.exit_ns / 1e6)
        if kept != row['keys'] or total != sent:
            if tracer.name == 'bpftrace':
                line.notes.append(f'bpftrace kept {kept} keys')
            else:
                raise BenchError(f'kept {kept} of {row["keys"]} keys, counted {total} of {sent} calls')

    return in_turn(bench, row, [line], 1 if bench.quick or row.get('once') else 3, one_round)


MEASURES = {
    'profile': profile, 'program': program, 'startup': startup, 'first_event': first_event, 'arm': arm_all, 'exit_time': exit_time,
    'functions': functions, 'run': run, 'unselected': unselected, 'disabled': disabled, 'idle': idle, 'rate': rate, 'overload': overload, 'overload_keys': overload_keys, 'keys': keys,
}


def measure(bench, row):
    return MEASURES.get(row.get('measure'), event)(bench, row)
