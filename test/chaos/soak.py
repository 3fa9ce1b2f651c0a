#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs come and go by the hundred a second, for minutes or hours, beside dtraces that look at all of them:

- static probes of all processes (`NAME*:::`), with the user stacks of their firings,
- functions of a file in all processes (`pid*`),
- user stacks of whatever ends, served as metrics (--serve).

Some programs are copies that are deleted after their end, some are on file systems that are unmounted, some are ended in groups
and in cgroups, by SIGKILL. Memory, descriptors and mappings of each dtrace are sampled. They are flat if in the last quarter of
the time they are not more than in the second, and a little. In the end nothing may be left: BPF objects, children, probes, files.

    test/chaos/soak.py --dtrace build/release/bin/dtrace --minutes 30 --rate 200

prints a line for each dtrace, and ends with 1 if something was not flat, or left.
"""

import argparse
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from chaos import Wrong, bpf_object_exists, bpf_objects_of, children_of, code_of, is_running, status_of, until

SAMPLE_SECONDS = 5
# How much more a dtrace may have at the end: this share of what it had, and this number.
ALLOWED = {'KiB of memory': (0.10, 4096), 'descriptors': (0.05, 8), 'mappings': (0.05, 16)}
OPERANDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'golden', 'usdt', 'operands.c')


def sample(pid):
    with open(f'/proc/{pid}/maps') as maps:
        mappings = sum(1 for _ in maps)
    return {'KiB of memory': int(status_of(pid)['VmRSS'].split()[0]), 'descriptors': len(os.listdir(f'/proc/{pid}/fd')),
            'mappings': mappings}


class Tracer:
    """A dtrace, what it is sampled at, and what it held."""

    def __init__(self, dtrace, name, folder, *arguments):
        self.name, self.samples, self.held = name, [], set()
        self.errors = open(f'{folder}/{name}.err', 'w+')
        self.process = subprocess.Popen([dtrace, '-qZ', '-x', 'ledger=text', '-n', 'BEGIN { printf("ready\\n"); }', *arguments],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        if self.process.stdout.readline() != 'ready\n':
            raise Wrong(f'{name} did not begin: {self.words()}')

    def words(self):
        self.errors.seek(0)
        return self.errors.read()[-2000:]

    def look(self):
        if self.process.poll() is not None:
            raise Wrong(f'{self.name} ended by itself with {self.process.returncode}: {self.words()}')
        self.samples.append(sample(self.process.pid))

    def end(self):
        self.held = bpf_objects_of(self.process.pid)
        children = children_of(self.process.pid)
        self.process.terminate()
        out, _ = self.process.communicate(timeout=120)
        if self.process.returncode != 0:
            raise Wrong(f'{self.name} ended with {self.process.returncode}: {self.words()}')
        until(lambda: not any(bpf_object_exists(*one) for one in self.held), 60, f'{self.name} left BPF objects')
        until(lambda: not any(is_running(child) for child in children), 60, f'{self.name} left children')
        if not out:
            raise Wrong(f'{self.name} printed nothing')

    def verdict(self):
        """A line for people, and whether all is flat."""
        flat, words = True, []
        quarter = max(1, len(self.samples) // 4)
        for what, (part, slack) in ALLOWED.items():
            before = statistics.median(s[what] for s in self.samples[quarter:2 * quarter] or self.samples)
            after = statistics.median(s[what] for s in self.samples[-quarter:])
            is_flat = after <= before * (1 + part) + slack
            flat &= is_flat
            words.append(f'{before:.0f} -> {after:.0f} {what}{"" if is_flat else " (NOT FLAT)"}')
        return f'{self.name}: {", ".join(words)}', flat


class Load:
    """Starts programs at a rate; each fires its probes once and ends."""

    def __init__(self, folder, chosen):
        self.folder, self.random, self.number = folder, chosen, 0
        self.running, self.to_delete, self.mounts = [], {}, []
        self.images = []
        for provider in ('soak', 'unrelated'):
            image = f'{folder}/images/{provider}'
            os.makedirs(os.path.dirname(image), exist_ok=True)
            subprocess.run(['cc', '-O1', OPERANDS, f'-DPROVIDER="{provider}"', '-o', image], check=True)
            self.images.append(image)
        self.input = f'{folder}/input'
        with open(self.input, 'w') as out:
            out.write('f\n')
        self.cgroup = self.make_cgroup()

    @staticmethod
    def make_cgroup():
        for root in ('/sys/fs/cgroup', '/sys/fs/cgroup/unified'):
            path = f'{root}/dtrace-soak-{os.getpid()}'
            try:
                os.mkdir(path)
            except OSError:
                continue
            if os.path.exists(f'{path}/cgroup.kill'):
                return path
            os.rmdir(path)
        return None

    def start(self, path, waits=False, **more):
        with open(self.input if not waits else '/dev/zero') as given:
            return subprocess.Popen([path], stdin=given, stdout=subprocess.DEVNULL, **more)

    def one(self):
        self.number += 1
        kind = self.random.random()
        image = self.random.choice(self.images)
        if kind < 0.80:
            self.running.append(self.start(image))
        elif kind < 0.99:
            # As images of containers have it: another file of the same name. Other names would be other rows.
            path = f'{self.folder}/copy{self.number}/{os.path.basename(image)}'
            os.mkdir(os.path.dirname(path))
            shutil.copy(image, path)
            process = self.start(path)
            self.running.append(process)
            self.to_delete[process.pid] = path
        elif kind < 0.993:
            self.on_a_file_system(image)
        else:
            self.killed_together(image, self.cgroup if self.random.random() < 0.5 else None)

    def on_a_file_system(self, image):
        folder = f'{self.folder}/mount{self.number}'
        os.mkdir(folder)
        if subprocess.run(['mount', '-t', 'tmpfs', 'none', folder], stderr=subprocess.DEVNULL).returncode != 0:
            os.rmdir(folder)
            return
        self.start(shutil.copy(image, folder)).wait()
        self.mounts.append((folder, time.monotonic()))

    def unmount(self, patience):
        left = []
        for folder, since in self.mounts:
            if subprocess.run(['umount', folder], stderr=subprocess.DEVNULL).returncode == 0:
                os.rmdir(folder)
            elif time.monotonic() - since > patience:
                raise Wrong(f'{folder} is busy {patience} s after its last process has ended')
            else:
                left.append((folder, since))
        self.mounts = left

    def killed_together(self, image, cgroup):
        """A shell and its children, which read without end, in a group or a cgroup that is killed."""
        shell = subprocess.Popen(['sh', '-c', f'for i in 1 2 3 4; do {image} </dev/zero >/dev/null & done; wait'],
                                 start_new_session=True, stderr=subprocess.DEVNULL)
        if cgroup is not None:
            with open(f'{cgroup}/cgroup.procs', 'w') as out:
                out.write(str(shell.pid))
            time.sleep(self.random.uniform(0, 0.02))
            with open(f'{cgroup}/cgroup.kill', 'w') as out:
                out.write('1')
        time.sleep(self.random.uniform(0, 0.02))
        os.killpg(shell.pid, signal.SIGKILL)
        shell.wait()

    def reap(self):
        for process in [one for one in self.running if one.poll() is not None]:
            self.running.remove(process)
            if process.returncode != 0:
                raise Wrong(f'a traced program ended with {process.returncode}')
            path = self.to_delete.pop(process.pid, None)
            if path is not None:
                os.unlink(path)
                os.rmdir(os.path.dirname(path))

    def end(self):
        for process in self.running:
            process.wait()
        self.reap()
        if self.cgroup is not None:
            os.rmdir(self.cgroup)


def watch(options, folder):
    load = Load(folder, random.Random(options.seed))
    # One that lives all the time: its code must be as before in the end.
    mine, theirs = os.pipe()
    lives = subprocess.Popen([load.images[0]], stdin=mine, stdout=subprocess.PIPE)
    os.close(mine)
    # It answers when its libraries are mapped.
    os.write(theirs, b's')
    lives.stdout.readline()
    code = code_of(lives.pid)
    tracers = [
        Tracer(options.dtrace, 'static', folder, '-n', 'soak*::: { @[probename] = count(); }', '-n',
               'soak*:::memory { @stacks[ustack()] = count(); }'),
        Tracer(options.dtrace, 'functions', folder, '-n', 'pid*:soak:fire:entry { @[execname] = count(); }'),
        Tracer(options.dtrace, 'stacks', folder, '--serve=127.0.0.1:0', '-n',
               'syscall::exit_group:entry { @[ustack(4)] = count(); } tick-10s { trunc(@, 20); }'),
    ]
    began = time.monotonic()
    end, next_sample, started = began + options.minutes * 60, began + SAMPLE_SECONDS, 0
    try:
        while (now := time.monotonic()) < end:
            load.reap()
            if now >= next_sample:
                for tracer in tracers:
                    tracer.look()
                load.unmount(options.patience)
                next_sample += SAMPLE_SECONDS
            if started < (now - began) * options.rate and len(load.running) < 64:
                load.one()
                started += 1
            else:
                time.sleep(0.002)
        while load.mounts:
            load.unmount(options.patience)
            time.sleep(0.1)
        load.end()
        for tracer in tracers:
            tracer.end()
        if code_of(lives.pid) != code:
            raise Wrong('the code of a process is not as before')
    finally:
        for tracer in tracers:
            if tracer.process.poll() is None:
                tracer.process.kill()
        os.close(theirs)
        lives.wait()
        for path, _ in load.mounts:
            subprocess.run(['umount', '-l', path], check=False)
    seconds = time.monotonic() - began
    print(f'{started} programs in {seconds:.0f} s: {started / seconds:.0f} a second', flush=True)
    flat = True
    for tracer in tracers:
        text, is_flat = tracer.verdict()
        flat &= is_flat
        print(text, flush=True)
    return flat


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--dtrace', required=True)
    parser.add_argument('--minutes', type=float, default=30)
    parser.add_argument('--rate', type=float, default=200, help='programs a second, as far as the machine can')
    parser.add_argument('--patience', type=float, default=60, help='seconds until a file system must be free')
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    options.dtrace = os.path.abspath(options.dtrace)
    with tempfile.TemporaryDirectory() as folder:
        try:
            return 0 if watch(options, folder) else 1
        except Wrong as reason:
            print(reason, flush=True)
            return 1


if __name__ == '__main__':
    sys.exit(main())
