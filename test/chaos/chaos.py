#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kinds of scripts, each disturbed in a random way at a random moment. Whatever happens, in the end

- dtrace has ended by itself, within a minute of the disturbance,
- none of its BPF programs, maps and links is left in the kernel,
- the code of a process that it probed is as before, and nobody traces that process,
- no child of its is left, and no file that it was not asked for,
- what was made is what was printed and what the ledger counts as lost, where END could still say how much was made.

The first round is not disturbed, so that at least one can be accounted for. Moments are random in a time that grows with what
this dtrace takes to start, here and now.

    test/chaos/chaos.py --dtrace build/release/bin/dtrace --triggers build/release/test/triggers --seconds 600 --seed 7

prints a line for each round that went wrong, with the seed of that round: `--seed N --rounds 2` repeats it.
"""

import argparse
import ctypes
import json
import os
import random
import re
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time

LIBC = ctypes.CDLL(None, use_errno=True)
SYS_BPF = {'x86_64': 321, 'aarch64': 280}[os.uname().machine]
GET_FD_BY_ID = {'prog_id': 13, 'map_id': 14, 'link_id': 30}
PATIENCE = 60  # seconds until an end is overdue


class Wrong(Exception):
    pass


def bpf_object_exists(kind, number):
    attributes = ctypes.create_string_buffer(number.to_bytes(4, sys.byteorder), 128)
    fd = LIBC.syscall(SYS_BPF, GET_FD_BY_ID[kind], attributes, 128)
    if fd < 0:
        return False
    os.close(fd)
    return True


def bpf_objects_of(pid):
    """What its descriptors hold: pairs of kind and number."""
    held = set()
    try:
        names = os.listdir(f'/proc/{pid}/fdinfo')
    except OSError:
        return held
    for name in names:
        try:
            with open(f'/proc/{pid}/fdinfo/{name}') as info:
                for line in info:
                    key, _, value = line.partition(':')
                    if key in GET_FD_BY_ID:
                        held.add((key, int(value)))
        except (OSError, ValueError):
            pass
    return held


def children_of(pid):
    try:
        with open(f'/proc/{pid}/task/{pid}/children') as children:
            return [int(child) for child in children.read().split()]
    except OSError:
        return []


def status_of(pid):
    try:
        with open(f'/proc/{pid}/status') as status:
            return dict(line.split(':\t', 1) for line in status.read().splitlines() if ':\t' in line)
    except OSError:
        return {}


def is_running(pid):
    return status_of(pid).get('State', 'X')[0] not in 'ZX'


def code_of(pid):
    """The bytes of all executable mappings of files."""
    code = {}
    with open(f'/proc/{pid}/maps') as maps, open(f'/proc/{pid}/mem', 'rb', 0) as memory:
        for line in maps:
            fields = line.split()
            if 'x' in fields[1] and len(fields) > 5 and fields[5].startswith('/'):
                first, end = (int(part, 16) for part in fields[0].split('-'))
                memory.seek(first)
                code[fields[0] + fields[5]] = memory.read(end - first)
    return code


def until(condition, seconds, what):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise Wrong(what)
        time.sleep(0.01)


# ---------------------------------------------------------------- scripts
# Each makes `n` of something, and END says how many: "made N". `got` counts them in the output.

LSEEK = 'syscall::lseek:entry /pid == $target && arg0 == 12345/'


def rows(text):
    return len(re.findall(r'(?m)^row \d+$', text))


def sums(text):
    return sum(int(count) for count in re.findall(r'(?m)^ +\d+ +(\d+)$', text))


SCRIPTS = {
    'rows': (f'{LSEEK} {{ n++; }} {LSEEK} {{ printf("row %d\\n", arg1); }}', rows),
    'wide rows': (f'{LSEEK} {{ n++; }} {LSEEK} {{ printf("%900s\\nrow %d\\n", probefunc, arg1); }}', rows),
    'keys': (f'{LSEEK} {{ n++; }} {LSEEK} {{ @[arg1] = count(); }}', sums),
    'few keys': (f'{LSEEK} {{ n++; }} {LSEEK} {{ @[arg1 % 10] = count(); }}', sums),
    'speculations': (f'{LSEEK} {{ n++; self->s = speculation(); }} {LSEEK} {{ speculate(self->s); printf("row %d\\n", arg1); }}'
                     f'{LSEEK} {{ commit(self->s); }}', rows),
    'pid probes': ('BEGIN { n = 0; } pid$target:a.out::entry { @[probefunc] = count(); }', None),
    'libc probes': ('BEGIN { n = 0; } pid$target:libc*::entry { @[probefunc] = count(); }', None),
    'stacks': (f'BEGIN {{ n = 0; }} {LSEEK} {{ @[ustack(), stack()] = count(); }} profile-97 {{ @p[stack()] = count(); }}', None),
    'commands': (f'BEGIN {{ n = 0; }} {LSEEK[:-1]} && arg1 % 1000 == 0/ {{ system("echo command; sleep 0.01"); }}', None),
    'all system calls': ('BEGIN { n = 0; } syscall:::entry { @[execname, probefunc] = count(); }', None),
}

END = 'END { printf("\\nmade %d\\n", n); }'


USUAL_START = 0.2  # seconds from exec to the end of a script that does nothing


class Round:
    def __init__(self, options, seed, folder, is_first):
        self.options, self.random, self.folder = options, random.Random(seed), folder
        self.script = 'rows' if is_first else self.random.choice(sorted(SCRIPTS))
        self.disturbance = 'nothing' if is_first else self.random.choice(sorted(DISTURBANCES))
        self.held, self.children = set(), set()
        self.target = None

    def __str__(self):
        return f'{self.script}, {self.disturbance}'

    def run(self):
        program, got = SCRIPTS[self.script]
        by_pid = self.script in ('pid probes', 'libc probes', 'all system calls') and self.random.random() < 0.7
        command = [self.options.dtrace, '-wqxledger=json', '-n', f'{program} {END}',
                   f'-xbufsize={self.random.choice(["16k", "256k", "4m"])}', f'-xnspec={self.random.choice([1, 8])}']
        calls = int(10 ** self.random.uniform(2, 5.3))
        if by_pid:
            self.target = subprocess.Popen([f'{self.options.triggers}/spin', '600'], stdout=subprocess.DEVNULL)
            until(lambda: 'libc' in open(f'/proc/{self.target.pid}/maps').read(), PATIENCE, 'the target does not start')
            before = code_of(self.target.pid)
            command += ['-p', str(self.target.pid)]
        else:
            command += ['-c', f'{self.options.triggers}/syscalls {calls}']
        try:
            status, text, errors = DISTURBANCES[self.disturbance](self, command)
            self.check_left()
            if self.target:
                if not is_running(self.target.pid):
                    raise Wrong('the target has ended')
                if status_of(self.target.pid).get('TracerPid') != '0':
                    raise Wrong('the target is traced')
                if code_of(self.target.pid) != before:
                    raise Wrong("the target's code has changed")
        finally:
            if self.target:
                self.target.kill()
                self.target.wait()
        if re.search('terminate called|bad_alloc|Segmentation|Assertion|invalid probe specifier|refused the program', errors):
            raise Wrong(f'it crashed: {errors[-300:]}')
        made = re.search(r'(?m)^made (\d+)$', text)
        ledger = re.search(r'(?m)^\{"losses".*$', errors)
        if got and made and ledger:
            lost = sum(loss['count'] or 0 for loss in json.loads(ledger[0])['losses'])
            if int(made[1]) != got(text) + lost:
                raise Wrong(f'made {made[1]}, got {got(text)}, lost {lost}')
            return True
        return False

    def check_left(self):
        until(lambda: not any(bpf_object_exists(*one) for one in self.held), PATIENCE, 'BPF objects are left')
        until(lambda: not any(is_running(child) for child in self.children), PATIENCE, 'children are left')
        extra = set(os.listdir(self.folder)) - {'out', 'err'}
        if extra:
            raise Wrong(f'files are left: {extra}')

    # ------------------------------------------------------------ disturbances

    def start(self, command, stdout=None, limits=()):
        def prepare():
            for limit, value in limits:
                resource.setrlimit(limit, (value, value))
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        with open(f'{self.folder}/err', 'w') as err:
            out = open(f'{self.folder}/out', 'w') if stdout is None else stdout
            return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=self.folder,
                                    preexec_fn=prepare)

    def look(self, process):
        """What it holds now."""
        self.held |= bpf_objects_of(process.pid)
        self.children |= set(children_of(process.pid))

    def moment(self, longest):
        return self.random.uniform(0, longest) * self.options.slowness

    def some_time(self, process, longest=1.5):
        end = time.monotonic() + self.moment(longest)
        while time.monotonic() < end and process.poll() is None:
            self.look(process)
            time.sleep(0.01)

    def finish(self, process):
        """What it printed. A process of -p is not waited for."""
        if self.target and process.poll() is None:
            process.send_signal(signal.SIGINT)
        try:
            status = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise Wrong('it does not end') from None
        texts = []
        for name in ('out', 'err'):
            with open(f'{self.folder}/{name}', errors='replace') as file:
                texts.append(file.read())
        return status, *texts

    def nothing(self, command):
        process = self.start(command)
        self.some_time(process)
        return self.finish(process)

    def signals(self, command, numbers):
        process = self.start(command)
        self.some_time(process)
        for number in numbers:
            if process.poll() is None:
                process.send_signal(signal.SIGSTOP)  # it makes nothing new while we look
                self.look(process)
                process.send_signal(number)
                process.send_signal(signal.SIGCONT)
        return self.finish(process)

    def stopped(self, command):
        process = self.start(command)
        for _ in range(self.random.randint(1, 4)):
            self.some_time(process, 0.4)
            process.send_signal(signal.SIGSTOP)
            time.sleep(self.random.uniform(0, 0.3))
            process.send_signal(signal.SIGCONT)
        return self.finish(process)

    def full(self, command):
        limit = int(10 ** self.random.uniform(0, 5))
        process = self.start([*command, '-o', f'{self.folder}/out'], subprocess.DEVNULL,
                             [(resource.RLIMIT_FSIZE, limit)])
        open(f'{self.folder}/out', 'a').close()
        self.some_time(process)
        status, text, errors = self.finish(process)
        if SCRIPTS[self.script][1] is rows and text and not text.endswith('\n'):
            raise Wrong(f'the file ends in half a row: {text[-50:]!r}')
        return status, text, errors

    def closed(self, command):
        mine, theirs = os.pipe()
        process = self.start(command, theirs)
        os.close(theirs)
        taken = b''
        wanted = int(10 ** self.random.uniform(0, 5.5))
        end = time.monotonic() + self.moment(1.5)
        while len(taken) < wanted and time.monotonic() < end:
            self.look(process)
            if not select.select([mine], [], [], 0.01)[0]:
                continue
            piece = os.read(mine, min(65536, wanted - len(taken)))
            if not piece:
                break
            taken += piece
        os.close(mine)
        open(f'{self.folder}/out', 'w').close()
        return self.finish(process)

    def unread(self, command):
        """Nobody reads: one signal is enough."""
        mine, theirs = os.pipe()
        process = self.start(command, theirs)
        os.close(theirs)
        self.some_time(process)
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        open(f'{self.folder}/out', 'w').close()
        try:
            return self.finish(process)
        finally:
            os.close(mine)

    def little_memory(self, command):
        process = self.start(command, None, [(resource.RLIMIT_AS, self.random.randint(120, 500) << 20)])
        self.some_time(process)
        return self.finish(process)


DISTURBANCES = {
    'nothing': Round.nothing,
    'stopped': Round.stopped,
    'full disk': Round.full,
    'closed pipe': Round.closed,
    'unread pipe': Round.unread,
    'little memory': Round.little_memory,
    'INT': lambda self, command: self.signals(command, [signal.SIGINT]),
    'TERM twice': lambda self, command: self.signals(command, [signal.SIGTERM, signal.SIGTERM]),
    'HUP': lambda self, command: self.signals(command, [signal.SIGHUP]),
    'KILL': lambda self, command: self.signals(command, [signal.SIGKILL]),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--dtrace', required=True)
    parser.add_argument('--triggers', required=True)
    parser.add_argument('--seconds', type=float, default=600)
    parser.add_argument('--rounds', type=int, default=1_000_000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('-v', action='store_true', help='a line for every round')
    options = parser.parse_args()
    options.dtrace, options.triggers = map(os.path.abspath, (options.dtrace, options.triggers))
    began = time.monotonic()
    subprocess.run([options.dtrace, '-qn', 'BEGIN { exit(0); }'], stdout=subprocess.DEVNULL, check=True)
    options.slowness = max(1, (time.monotonic() - began) / USUAL_START)
    end = time.monotonic() + options.seconds
    rounds = wrong = accounted = 0
    while rounds < options.rounds and time.monotonic() < end:
        seed = options.seed + max(0, rounds - 1)
        with tempfile.TemporaryDirectory() as folder:
            this = Round(options, seed, folder, rounds == 0)
            try:
                began = time.monotonic()
                accounted += this.run()
                if options.v:
                    print(f'seed {seed}: {this}: {time.monotonic() - began:.1f} s', flush=True)
            except Wrong as reason:
                wrong += 1
                print(f'seed {seed}: {this}: {reason}', flush=True)
        rounds += 1
    if accounted == 0:
        wrong += 1
        print('no round could be accounted for')
    print(f'{rounds} rounds, {accounted} accounted for, {wrong} wrong', file=sys.stderr)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
