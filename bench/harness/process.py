# SPDX-License-Identifier: Apache-2.0
"""The processes of a measurement: the workload, and a tracer that comes and goes around it.

What a reader would get wrong: nothing here waits by sleeping for a while. A tracer is ready when it has said so (the
BEGIN clause of our program prints "ready", after every probe is in place), and armed when the workload's calls have
become dearer.
"""

import os
import signal
import subprocess
import tempfile
import threading
import time

CALLS_PER_BATCH = 3000


class BenchError(Exception):
    """What went wrong with one row, in words for its line of the table."""


def pin():
    """Puts this process, and so every tracer, on the first CPU; returns the last one, for the workload."""
    cpus = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cpus)})
    return max(cpus)


class Workload:
    """The traced program; see workload/workload.cpp for its lines."""

    def __init__(self, build, cpu):
        self.cpu = cpu
        self.process = subprocess.Popen(
            [os.path.join(build, 'workload'), '--cpu', str(cpu)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.binary = os.path.join(build, 'workload')
        self.pid = int(self.ask('pid'))
        self.traced_calls = 0

    def ask(self, line):
        self.send(line)
        return self.answer()

    def send(self, line):
        self.process.stdin.write(line + '\n')
        self.process.stdin.flush()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise BenchError('the workload died')
        return line.strip()

    def batch(self, kind, calls=CALLS_PER_BATCH, batches=20):
        """(least, median) ns per call."""
        least, median, done = self.ask(f'batch {kind} {calls} {batches}').split()
        if kind in ('traced', 'string', 'uprobe', 'usdt'):
            self.traced_calls += int(done)
        return float(least), float(median)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Finished:
    """How a process ended: status, life time and CPU in ns, peak memory in KiB (launch() only), what it wrote."""

    def __init__(self, status, started_ns, wall_ns, cpu_ns, peak_kib, out, err):
        self.status = status
        self.started_ns = started_ns
        self.wall_ns = wall_ns
        self.cpu_ns = cpu_ns
        self.peak_kib = peak_kib
        self.out = out
        self.err = err
        self.exit_ns = None
        self.ready_ns = None  # from its start to the text that wait_for() waited for


class Process:
    """A tracer. Its standard output is read by a thread, or goes to a file where much is expected."""

    live = set()

    def __init__(self, argv, env=None, out_path=None):
        self.argv = argv
        self.out_path = out_path
        self.chunks = []
        self.err_chunks = []
        out = open(out_path, 'wb') if out_path else subprocess.PIPE
        self.started_ns = time.monotonic_ns()
        try:
            self.process = subprocess.Popen(
                argv, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, env={**os.environ, **(env or {})})
        except OSError as error:
            raise BenchError(f'{argv[0]}: {error.strerror}') from error
        Process.live.add(self)
        if out_path:
            out.close()
        self.ready_ns = None
        self.seen = threading.Condition()
        self.ended = 0
        streams = [(self.process.stderr, self.err_chunks)]
        if not out_path:
            streams.append((self.process.stdout, self.chunks))
        self.readers = [threading.Thread(target=self._read, args=s, daemon=True) for s in streams]
        for reader in self.readers:
            reader.start()

    def _read(self, stream, chunks):
        fd = stream.fileno()
        while True:
            data = os.read(fd, 1 << 16)
            with self.seen:
                if not data:
                    self.ended += 1
                    self.seen.notify_all()
                    return
                chunks.append(data)
                self.seen.notify_all()

    def _out(self):
        if self.out_path:
            with open(self.out_path, 'rb') as out:
                return out.read(4096)
        return b''.join(self.chunks[:4])

    def wait_for(self, text, timeout):
        """Waits until standard output holds `text`."""
        deadline = time.monotonic() + timeout
        with self.seen:
            while text not in self._out():
                if self.ended == len(self.readers) or self.ended and self.has_ended():
                    raise BenchError(self.complaint())
                left = deadline - time.monotonic()
                if left < 0:
                    self.kill()
                    raise BenchError(f'not ready in {timeout} s: {self.complaint()}')
                # A file tells nobody that it has grown: look each millisecond.
                self.seen.wait(0.001 if self.out_path else left)
        self.ready_ns = time.monotonic_ns() - self.started_ns

    def complaint(self):
        err = b''.join(self.err_chunks).decode(errors='replace').strip().splitlines()
        return err[-1] if err else f'{os.path.basename(self.argv[0])} ended without a word'

    def has_ended(self):
        """Without reaping it: finish() wants the kernel's account."""
        return os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def signal(self, number):
        os.kill(self.process.pid, number)

    def kill(self):
        if self in Process.live:
            os.kill(self.process.pid, signal.SIGKILL)

    def finish(self, timeout=60):
        """Waits for the end. The kernel's own account of the child comes with it."""
        timer = threading.Timer(timeout, self.kill)
        timer.start()
        _, status, rusage = os.wait4(self.process.pid, 0)
        ended_ns = time.monotonic_ns()
        timer.cancel()
        Process.live.discard(self)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        for reader in self.readers:
            reader.join()
        out = b'' if self.out_path else b''.join(self.chunks)
        # Peak memory would be Python's, before exec: only launch() knows it.
        return Finished(self.process.returncode, self.started_ns, ended_ns - self.started_ns,
                        (rusage.ru_utime + rusage.ru_stime) * 1e9, None, out.decode(errors='replace'), b''.join(self.err_chunks).decode(errors='replace'))

    def interrupt(self, timeout=60):
        """SIGINT and wait: what Ctrl-C does. Fills in how long the exit took."""
        asked_ns = time.monotonic_ns()
        self.signal(signal.SIGINT)
        finished = self.finish(timeout)
        finished.exit_ns = finished.started_ns + finished.wall_ns - asked_ns
        finished.ready_ns = self.ready_ns
        if finished.status not in (0, -signal.SIGINT, 130):
            raise BenchError(f'exit status {finished.status}: {self.complaint()}')
        return finished

    @classmethod
    def end_all(cls):
        """Ends what a failed measurement left behind: a tracer still there would be in every figure after it."""
        for process in list(cls.live):
            process.kill()
            process.finish()

    def cpu_ns(self):
        """CPU used so far by all threads, to the nanosecond."""
        total = 0
        tasks = f'/proc/{self.process.pid}/task'
        for task in os.listdir(tasks):
            with open(f'{tasks}/{task}/schedstat') as stat:
                total += int(stat.read().split()[0])
        return total

    def programs(self):
        """Numbers of the BPF programs that it has loaded."""
        found = set()
        folder = f'/proc/{self.process.pid}/fdinfo'
        for fd in os.listdir(folder):
            try:
                with open(f'{folder}/{fd}') as info:
                    found.update(int(line.split()[1]) for line in info if line.startswith('prog_id:'))
            except OSError:
                pass  # closed meanwhile
        return found

    def rss_kib(self):
        with open(f'/proc/{self.process.pid}/status') as status:
            for line in status:
                if line.startswith('VmRSS:'):
                    return int(line.split()[1])
        return 0


def launch(build, argv, env=None, timeout=60):
    """Runs a command to its end through `launch`, for its exact wall time and peak memory."""
    with tempfile.TemporaryFile() as report:
        # The shell's redirection puts the report at descriptor 3, where `launch` writes it.
        command = ['/bin/sh', '-c', f'exec "$@" 3>&{report.fileno()}', 'sh', os.path.join(build, 'launch')] + argv
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   pass_fds=(report.fileno(),), env={**os.environ, **(env or {})})
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired as error:
            process.kill()
            raise BenchError(f'not done in {timeout} s') from error
        report.seek(0)
        words = report.read().split()
    if len(words) != 5:
        raise BenchError('launch did not report')
    status, start, wall, cpu, peak = map(int, words)
    return Finished(status, start, wall, cpu, peak, out.decode(errors='replace'), err.decode(errors='replace'))


class ProgStats:
    """The kernel's account of each BPF program's run time: `limit prog-stats`."""

    def __init__(self, build):
        self.process = subprocess.Popen([os.path.join(build, 'limit'), 'prog-stats'],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != 'ready\n':
            raise BenchError('the kernel keeps no statistics of programs')

    def read(self, prog_type):
        """{id: (runs, ns)} of all loaded programs of one type, or of any."""
        self.process.stdin.write('\n')
        self.process.stdin.flush()
        stats = {}
        while (line := self.process.stdout.readline().strip()):
            number, kind, runs, ns = map(int, line.split())
            if prog_type in (None, kind):
                stats[number] = (runs, ns)
        return stats

    def close(self):
        self.process.stdin.close()
        self.process.wait()
