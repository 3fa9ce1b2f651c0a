# SPDX-License-Identifier: Apache-2.0
"""tst.early_signals.sh. A signal that is ignored when it is sent is lost, whoever gets it: until its first instruction has
run, dtrace is what it was started as. So the moments of background jobs begin when /proc says that it is heeded."""
import os
import random
import signal
import subprocess
import sys
import time
from typing import NamedTuple

DTRACE, FOLDER, ROUNDS, SEED = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
PATIENCE = 60
OPENAT = {'x86_64': '257', 'aarch64': '56'}[os.uname().machine]
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT)
TRACING = ['-qn', 'BEGIN { printf("begun\\n"); }']
WAITING = ['-C', '-s', 'script.d']  # for ever, in the preprocessor


class Overdue(Exception):
    pass


def start(arguments, ignored, stdout=subprocess.DEVNULL):
    def prepare():
        os.setpgid(0, 0)
        for number in ENDINGS + (signal.SIGHUP,):
            signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)
    return subprocess.Popen([DTRACE, *arguments], cwd=FOLDER, stdin=subprocess.DEVNULL, stdout=stdout,
                            stderr=subprocess.DEVNULL, preexec_fn=prepare)  # returns when exec has


def ignores(process, number):
    with open(f'/proc/{process.pid}/status', encoding='utf-8') as status:
        mask = next(line.split()[1] for line in status if line.startswith('SigIgn:'))
    return bool(int(mask, 16) >> (number - 1) & 1)


def until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise Overdue()
        time.sleep(0.001)


def ended(process, number):
    """In order with 0, or at once by the signal."""
    try:
        status = process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return 'does not end'
    return 'ended' if status in (0, -number) else f'status {status}'


def outcome_of(arguments, ignored, number, delay):
    process = start(arguments, ignored)
    try:
        if number in ignored:
            until(lambda: process.poll() is not None or not ignores(process, number))
    except Overdue:
        process.kill()
        process.wait()
        return 'the signal stays ignored'
    time.sleep(delay)
    process.send_signal(number)
    return ended(process, number)


def at_moments(ignored):
    """0 ms, and random ones until a little after tracing has begun."""
    chance = random.Random(SEED)
    began = time.monotonic()
    process = start(TRACING, ignored, subprocess.PIPE)
    process.stdout.readline()
    longest = 1.3 * (time.monotonic() - began)
    process.kill()
    process.wait()
    for number in range(ROUNDS):
        sent = ENDINGS[number % 3]
        delay = 0 if number < 3 else chance.uniform(0, longest)
        outcome = outcome_of(TRACING, ignored, sent, delay)
        if outcome != 'ended':
            return f'round {number} of seed {SEED}, {sent.name} after {1000 * delay:.1f} ms: {outcome}'
    return 'ended'


def of_a_shell():
    shell = subprocess.Popen(['sh', '-c', '"$@" & echo $!; wait $!', 'sh', DTRACE, *TRACING[:-1], 'BEGIN { }'], text=True,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    job = Job(int(shell.stdout.readline()))
    until(lambda: job.is_dtrace() and not ignores(job, signal.SIGINT))
    os.kill(job.pid, signal.SIGINT)
    status = shell.wait(PATIENCE)
    return 'status 0 or 130' if status in (0, 130) else f'status {status}'


class Job(NamedTuple):
    pid: int

    def is_dtrace(self):
        return os.path.realpath(f'/proc/{self.pid}/exe') == os.path.realpath(DTRACE)


def nohup():
    process = start(TRACING, (signal.SIGHUP,), subprocess.PIPE)
    process.stdout.readline()
    answer = 'ignored' if ignores(process, signal.SIGHUP) else 'heeded'
    process.terminate()
    process.wait()
    return answer


def building():
    """-h, which waits for the writer of its script."""
    os.mkfifo(os.path.join(FOLDER, 'never.d'))
    process = start(['-h', '-s', 'never.d', '-o', 'never.out'], (signal.SIGINT, signal.SIGQUIT))
    until(lambda: process.poll() is not None or is_in_open(process))
    answers = ['ignored' if ignores(process, number) else 'heeded' for number in (signal.SIGINT, signal.SIGQUIT)]
    process.kill()
    process.wait()
    return f'SIGINT {answers[0]}, SIGQUIT {answers[1]}'


def is_in_open(process):
    """It sleeps in openat(2)."""
    with open(f'/proc/{process.pid}/syscall', encoding='utf-8') as call, \
            open(f'/proc/{process.pid}/stat', encoding='utf-8') as stat:
        return call.read().split()[0] == OPENAT and stat.read().rsplit(')', 1)[1].split()[0] == 'S'


def main():
    print('at a random moment:', at_moments(()))
    jobs = (signal.SIGINT, signal.SIGQUIT)
    print('a background job at a random moment:', at_moments(jobs))
    os.mkfifo(os.path.join(FOLDER, 'never.h'))
    with open(os.path.join(FOLDER, 'script.d'), 'w', encoding='utf-8') as file:
        file.write('#include "never.h"\n')
    print('a background job while the preprocessor waits:',
          ', '.join(f'{number.name} {outcome_of(WAITING, jobs, number, 0.2)}' for number in jobs))
    print('a background job of a shell:', of_a_shell())
    print('nohup: SIGHUP', nohup())
    print('-h:', building())


main()
