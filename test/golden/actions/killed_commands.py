# SPDX-License-Identifier: Apache-2.0
"""tst.killed_commands.sh. Processes are known by a mark in their environment."""
import os
import random
import signal
import subprocess
import sys
import time

DTRACE, FOLDER, ROUNDS, SEED = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
PATIENCE = 60
KEY, VALUE = 'KILLED_COMMANDS', str(os.getpid())
# A pipe, a subshell and a job in the background; a daemon in a session of its own, whose parent ends.
COMMAND = ('(KILLED_COMMANDS=daemon-$KILLED_COMMANDS setsid sleep 3600 >/dev/null 2>&1 </dev/null & echo $! >daemon);'
           ' sleep 3601 & (sleep 3602 | cat; true) & echo >begun; sleep 3603; true')
SYSTEM = ['-wqn', f"BEGIN {{ system(\"{COMMAND}\"); }}"]
PREPROCESSOR = ['-C', '-s', 'script.d']


def marked(value):
    """Pids of the processes with the mark that are no zombies."""
    found = []
    for name in os.listdir('/proc'):
        if not name.isdigit():
            continue
        try:
            with open(f'/proc/{name}/environ', 'rb') as file:
                if f'{KEY}={value}'.encode() in file.read().split(b'\0'):
                    found.append(int(name))
        except OSError:
            pass
    return found


def until(condition):
    end = time.monotonic() + PATIENCE
    while not (met := condition()) and time.monotonic() < end:
        time.sleep(0.01)
    return met


def start(arguments):
    return subprocess.Popen([DTRACE, *arguments], cwd=FOLDER, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, env={**os.environ, KEY: VALUE})


def programs(pids):
    found = []
    for pid in pids:
        try:
            with open(f'/proc/{pid}/cmdline', 'rb') as file:
                found.append(file.read().replace(b'\0', b' ').decode(errors='replace'))
        except OSError:
            pass
    return found


def left_of(process):
    process.send_signal(signal.SIGKILL)
    process.wait()
    if until(lambda: not marked(VALUE)):
        return 'nothing is left'
    left = marked(VALUE)
    names = programs(left)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    return f'left: {names}'


def end_daemons():
    for pid in marked(f'daemon-{VALUE}'):
        os.kill(pid, signal.SIGKILL)


def forget(name):
    try:
        os.remove(os.path.join(FOLDER, name))
    except FileNotFoundError:
        pass


def main():
    process = start(SYSTEM)
    until(lambda: os.path.exists(os.path.join(FOLDER, 'begun')) and len(marked(VALUE)) >= 5)
    print('a command:', left_of(process))
    print('its daemon:', 'still there' if marked(f'daemon-{VALUE}') else 'gone')
    end_daemons()

    os.mkfifo(os.path.join(FOLDER, 'never.h'))  # which cpp waits for
    with open(os.path.join(FOLDER, 'script.d'), 'w', encoding='utf-8') as file:
        file.write('#include "never.h"\n')
    process = start(PREPROCESSOR)
    until(lambda: len(marked(VALUE)) >= 3)
    print('the preprocessor:', left_of(process))

    chance = random.Random(SEED)
    outcome = 'nothing is left'
    for number in range(ROUNDS):
        forget('begun')
        began = time.monotonic()
        process = start(SYSTEM if number % 2 else PREPROCESSOR)
        if number < 2:  # how long it takes until the command runs
            until(lambda: len(marked(VALUE)) >= 3)
            longest = 1.2 * (time.monotonic() - began)
        else:
            time.sleep(chance.uniform(0, longest))
        left = left_of(process)
        end_daemons()
        if left != 'nothing is left':
            outcome = f'round {number} of seed {SEED}: {left}'
            break
    print('random moments:', outcome)


main()
