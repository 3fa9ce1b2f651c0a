# SPDX-License-Identifier: Apache-2.0
"""Tracers that take user stacks, for `bench/stacks`: how each samples a command, and what it says of the stacks."""

import contextlib
import functools
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile

# Where programs, their threads and what their languages run begin. Go's are written by hand, as the C library's are.
# What the C library calls main() with counts as well: _start has no name in stripped programs.
FIRST = re.compile(r'^(_start|__libc_start_(call_)?main(_impl|_alias_\d)?|__libc_start_main@@.*|_dl_start_user|_{0,2}clone3?|start_thread|thread_start|'
                   r'runtime\.(goexit|mstart|mstart0|mcall|rt0_go|systemstack|morestack|asmcgocall|sigtramp|gogo)(\.abi0)?)$')
NOTHING = 'nothing'
MOST_FRAMES = 512


@functools.cache
def entry_of(program):
    """Where a program that has no symbols begins, from its first byte in memory; None if it is not found."""
    path = shutil.which(program)
    header = path and subprocess.run(['readelf', '-hlW', path], capture_output=True, text=True, check=False).stdout
    entry = header and re.search(r'Entry point address: +0x([0-9a-f]+)', header)
    first = header and re.search(r'^ +LOAD +0x0+ 0x([0-9a-f]+)', header, re.M)
    return int(entry[1], 16) - int(first[1], 16) if entry and first else None


def outermost_function(name):
    """Of `module`function+0x1`, the function; `_start` where a program without symbols begins."""
    unnamed = re.fullmatch(r'([^`]+)\+0x([0-9a-f]+)', name)
    if unnamed and (entry := entry_of(unnamed[1])) is not None and 0 <= int(unnamed[2], 16) - entry < 0x30:
        return '_start'
    return re.sub(r'\+(0x)?[0-9a-f]+$', '', name.rsplit('`', 1)[-1])


class Stacks:
    """Samples of a run: how many, how many whole, and at what the others end."""

    def __init__(self):
        self.samples = self.whole = self.frames = 0
        self.ends = {}

    def add(self, names, count=1, cut=''):
        self.samples += count
        self.frames += len(names) * count
        if len(names) >= MOST_FRAMES:
            cut = f'{len(names)} frames'
        outermost = outermost_function(names[-1]) if names else NOTHING
        if not cut and FIRST.match(outermost):
            self.whole += count
        else:
            end = cut or outermost
            self.ends[end] = self.ends.get(end, 0) + count

    def share(self):
        return 100 * self.whole / self.samples if self.samples else 0.0

    def depth(self):
        return self.frames / self.samples if self.samples else 0.0


def run(argv, env=None, ok=(0,)):
    """Runs a tracer. Returns what it wrote to stdout and the processor time that it and its children took, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors='replace', check=False,
                          env=env, start_new_session=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in ok:
        raise SystemExit(f'{argv[0]}: exit status {done.returncode}: {done.stderr[-2000:]}')
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Dtrace:
    def __init__(self, command, name='dtrace', options=()):
        self.name = name
        self.command = [command, '-q', *options]

    def sample(self, program, seconds, rate, folder):
        path = tempfile.mktemp(dir=folder)  # -o appends
        text = f'profile-{rate} /arg1 && progenyof($target)/ {{ @[ustack({MOST_FRAMES})] = count(); }} tick-{seconds}s {{ exit(0); }}'
        run([*self.command, '-x', 'format=json', '-x', 'aggsize=64m', '-o', path, '-n', text, '-c', program.command])
        stacks = Stacks()
        with open(path, encoding='utf-8') as items:
            for entry in (entry for item in map(json.loads, items) for entry in item.get('entries', ())):
                frames = entry['keys'][0]
                cut = next((frame['cut'] for frame in frames if 'cut' in frame), '')
                stacks.add([frame.get('symbol', NOTHING) for frame in frames if 'cut' not in frame], entry['value'], cut)
        return stacks

    def cost(self, command, rate, folder):
        path = tempfile.mktemp(dir=folder)
        text = f'profile-{rate} /pid == $target && arg1/ {{ @[ustack({MOST_FRAMES})] = count(); @all = count(); }}'
        out, seconds = run([*self.command, '-o', path, '-n', text, '-c', command])
        with open(path, encoding='utf-8') as lines:
            samples = int([line for line in lines if line.strip()][-1])
        return out, samples, seconds, 0


class Perf:
    def __init__(self, graph):
        self.name = f'perf {graph}'
        self.graph = graph

    def record(self, command, rate, folder, limit=()):
        path = os.path.join(folder, 'perf.data')
        out, seconds = run([*limit, 'perf', 'record', '-q', '-F', str(rate), '-e', 'cpu-clock:u', '--call-graph', self.graph,
                            '-o', path, '--', *command], ok=(0, 124, 130, -signal.SIGINT, -signal.SIGTERM))
        return path, out, seconds

    def script(self, path):
        # Without names of inlined functions, which take it hours.
        out, seconds = run(['perf', 'script', '--no-inline', '--max-stack', '1024', '-F', 'ip,sym', '-i', path])
        return [sample.splitlines() for sample in out.split('\n\n') if sample.strip()], seconds

    def sample(self, program, seconds, rate, folder):
        path, _, _ = self.record([program.command], rate, folder, ['timeout', '-s', 'INT', str(seconds)])
        stacks = Stacks()
        for sample in self.script(path)[0]:
            stacks.add([(line.split(None, 1) + [NOTHING])[1] for line in sample if line.strip()])
        return stacks

    def cost(self, command, rate, folder):
        path, out, seconds = self.record(command.split(), rate, folder)
        samples, more = self.script(path)
        return out, len(samples), seconds + more, os.path.getsize(path) / max(1, len(samples))


class Bpftrace:
    """By frame pointers. Its predicates know no progeny, so samples are chosen by the program's name."""

    name = 'bpftrace'

    def __init__(self, command):
        self.command = command.split()

    def trace(self, text, command, seconds):
        """Beside a command, which the newest one, unpacked, would not find: until it ends, or for so many seconds."""
        tracer = subprocess.Popen([*self.command, '-q', '-f', 'json', '-e', f'BEGIN {{ printf("ready\\n"); }} {text}'],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                  env={**os.environ, 'BPFTRACE_MAX_MAP_KEYS': '100000'})
        while 'ready' not in tracer.stdout.readline():
            if tracer.poll() is not None:
                raise SystemExit('bpftrace does not start')
        traced = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, start_new_session=True)
        with contextlib.suppress(subprocess.TimeoutExpired):
            traced.wait(seconds)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        # It looks names up at the end, while the program must still be there.
        tracer.send_signal(signal.SIGINT)
        lines = tracer.communicate()[0].splitlines()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if traced.poll() is None:
            os.killpg(traced.pid, signal.SIGKILL)
        maps = {}
        for line in lines:
            if line.startswith('{"type": "map"'):
                maps.update(json.loads(line)['data'])
        return (traced.communicate()[0], after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
                maps.get('@', {}))

    def sample(self, program, seconds, rate, folder):
        text = f'profile:hz:{rate} /comm == "{program.comm}"/ {{ @[ustack(127)] = count(); }}'
        stacks = Stacks()
        for stack, count in self.trace(text, [program.command], seconds)[2].items():
            stacks.add([line.strip() for line in stack.splitlines() if line.strip()], count)
        return stacks

    def cost(self, command, rate, folder):
        text = f'profile:hz:{rate} /comm == "depth"/ {{ @[ustack(127)] = count(); }}'
        out, seconds, stacks = self.trace(text, command.split(), None)
        return out, sum(stacks.values()), seconds + int(out) / 1e9, 0
