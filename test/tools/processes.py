# SPDX-License-Identifier: Apache-2.0
"""A load and a tracer that comes and goes around it, for test/tools/run and bench/tools.

What a reader would get wrong: many tracers say nothing when they have begun. One is ready when it waits: its threads sleep, the
first of them in poll() or the like, and none has used CPU time for a while. A tracer in the middle of attaching sleeps in bpf(),
ioctl() or perf_event_open() instead.
"""

import json
import os
import signal
import subprocess
import tempfile
import time

# Numbers on x86-64 and arm64 of the calls in which a tracer waits for events or for its end.
WAITS = {
    'x86_64': {7, 35, 34, 128, 202, 230, 232, 271, 281},
    'aarch64': {72, 73, 22, 101, 115, 137, 98},
}[os.uname().machine]


class Failed(Exception):
    """One line of what went wrong."""


def threads_of(pid):
    return os.listdir(f'/proc/{pid}/task')


def cpu_ns(pid):
    """Of the process, with its threads that have ended."""
    with open(f'/proc/{pid}/stat', encoding='utf-8') as file:
        fields = file.read().rpartition(')')[2].split()
    ended = (int(fields[11]) + int(fields[12])) * (1000000000 // os.sysconf('SC_CLK_TCK'))
    running = 0
    for thread in threads_of(pid):
        try:
            with open(f'/proc/{pid}/task/{thread}/schedstat', encoding='utf-8') as file:
                running += int(file.read().split()[0])
        except (OSError, IndexError):
            pass
    return max(ended, running)


def is_waiting(pid):
    try:
        threads = threads_of(pid)
    except OSError:
        return False
    for thread in threads:
        try:
            with open(f'/proc/{pid}/task/{thread}/stat', encoding='utf-8') as file:
                if file.read().rpartition(')')[2].split()[0] != 'S':
                    return False
        except OSError:
            return False
    try:
        with open(f'/proc/{pid}/syscall', encoding='utf-8') as file:
            return int(file.read().split()[0]) in WAITS
    except (OSError, ValueError):
        return False


class Cannot(Exception):
    """Why this machine cannot have a load."""


class Load:
    """test/trigger/events.c, or loads.py: there, and waiting. begin() starts it, finish() says what it did; it stays until close()."""

    OTHERS = {'shell', 'tls', 'python', 'java', 'pipe', 'oom', 'postgres', 'mariadb'}

    def __init__(self, events, kind, count, seconds=0, name='events', folder='.'):
        self.name, self.kind, self.count = name, kind, count
        if kind in self.OTHERS:
            events = os.path.join(os.path.dirname(os.path.realpath(__file__)), 'loads.py')
        command = [events, '-w', '-n', name] + (['-s', str(seconds)] if seconds else []) + [kind, str(count)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder)
        self.binary = os.path.basename(events)
        self.facts = None
        text = self.process.stdout.readline()
        line = text.split()
        if not line or line[0] != 'ready':
            self.close()
            raise Cannot(text.strip()) if self.process.returncode == 77 else Failed(f'no load of kind {kind}')
        self.pid, self.port = int(line[1]), int(line[2])

    def begin(self):
        self.process.stdin.write('go\n')
        self.process.stdin.flush()

    def finish(self):
        line = self.process.stdout.readline()
        if not line:
            raise Failed(f'the load {self.kind} died')
        self.facts = json.loads(line)
        return self.facts

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


class Tracer:
    """A command that traces: its output goes to a file."""

    def __init__(self, command, env=None):
        self.command = command
        self.out = tempfile.TemporaryFile()
        self.err = tempfile.TemporaryFile()
        self.started = time.monotonic()
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.out, stderr=self.err,
                                            env={**os.environ, **(env or {})})
        except OSError as error:
            raise Failed(f'{command[0]}: {error.strerror}') from error
        self.pid = self.process.pid
        self.ready_s = self.start_cpu_ns = 0
        self.cpu_ns = self.peak_kib = 0  # of its whole life, when it has ended

    def wait_ready(self, timeout=120, still_s=0.4, enough_bytes=16384):
        """Sets ready_s, the time until it last used CPU to begin. One that has printed much is at work on the events of others."""
        deadline = self.started + timeout
        used, since = -1, time.monotonic()
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise Failed(self.complaint())
            now = time.monotonic()
            try:
                current = cpu_ns(self.pid)
                if current > used + 20000000 or not is_waiting(self.pid):
                    used, since = current, now
            except OSError:
                continue
            if used > 5000000 and (now - since >= still_s or os.fstat(self.out.fileno()).st_size >= enough_bytes):
                self.ready_s, self.start_cpu_ns = since - self.started, current
                return
            time.sleep(0.005)
        raise Failed(f'not ready in {timeout} s')

    def complaint(self):
        lines = [line for line in (self.text(self.err) + self.text(self.out)).splitlines() if line.strip()]
        errors = [line for line in lines if 'WARN' not in line and any(word in line.lower() for word in ('error', 'fail', 'cannot'))]
        return (errors or lines or [f'ended with status {self.process.returncode}'])[0].strip()

    def stop(self, timeout=60):
        """Ctrl-C; its exit status."""
        if self.process.poll() is not None:
            return self.process.returncode
        self.process.send_signal(signal.SIGINT)
        deadline = time.monotonic() + timeout
        while True:
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
            if pid != 0:
                break
            if time.monotonic() > deadline:
                raise Failed(f'did not end within {timeout} s of Ctrl-C')
            time.sleep(0.01)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.cpu_ns = int((usage.ru_utime + usage.ru_stime) * 1e9)
        self.peak_kib = usage.ru_maxrss
        return self.process.returncode

    @staticmethod
    def text(file):
        file.seek(0)
        return file.read().decode(errors='replace')

    def output(self):
        return self.text(self.out)

    def errors(self):
        return self.text(self.err)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.out.close()
        self.err.close()
