# SPDX-License-Identifier: Apache-2.0
"""tst.killed_groups.sh: kills at moments that a seed chooses.

A third of the rounds waits for the first breakpoints in the target and kills then: in the midst of setting them. Half of
these kill again a little later, when a process that has survived removes them. The last third kills after SIGINT."""
import ctypes
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import time

LIBC = ctypes.CDLL(None, use_errno=True)
SYS_BPF = {'x86_64': 321, 'aarch64': 280}[os.uname().machine]
LINK_GET_NEXT_ID, LINK_GET_FD_BY_ID, OBJ_GET_INFO_BY_FD = 31, 30, 15
UPROBE_MULTI = 12
PATIENCE = 60
MARK = f'KILLED_GROUPS={os.getpid()}'
DTRACE, FOLDER, ROUNDS, SEED = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
PROGRAM = os.path.join(FOLDER, 'target')


def bpf(command, attributes):
    buffer = ctypes.create_string_buffer(attributes, 128)
    result = LIBC.syscall(SYS_BPF, command, buffer, 128)
    return result, buffer.raw


def links_to(path):
    """Links of user probes in that file. Those of other programs may come and go meanwhile."""
    found, number = 0, 0
    while True:
        result, answer = bpf(LINK_GET_NEXT_ID, struct.pack('<I', number))
        if result < 0:
            return found
        number = struct.unpack_from('<I', answer, 4)[0]
        fd, _ = bpf(LINK_GET_FD_BY_ID, struct.pack('<I', number))
        if fd < 0:
            continue
        name = ctypes.create_string_buffer(4096)
        info = ctypes.create_string_buffer(struct.pack('<IIIIQ', 0, 0, 0, 0, ctypes.addressof(name)).ljust(48, b'\0') +
                                           struct.pack('<I', len(name)), 128)
        result, _ = bpf(OBJ_GET_INFO_BY_FD, struct.pack('<IIQ', fd, len(info), ctypes.addressof(info)))
        os.close(fd)
        if result == 0 and struct.unpack_from('<I', info.raw)[0] == UPROBE_MULTI and name.value.decode() == path:
            found += 1


def changed(pid):
    """Bytes of the program in memory that are not those of the file."""
    count = 0
    with open(f'/proc/{pid}/maps', encoding='utf-8') as maps:
        for line in maps:
            word = line.split()
            if len(word) < 6 or 'x' not in word[1] or word[5] != PROGRAM:
                continue
            start, end = (int(part, 16) for part in word[0].split('-'))
            with open(f'/proc/{pid}/mem', 'rb', 0) as memory, open(PROGRAM, 'rb') as file:
                memory.seek(start)
                file.seek(int(word[2], 16))
                now, before = memory.read(end - start), file.read(end - start)
                if now != before:
                    count += sum(a != b for a, b in zip(now, before))
    return count


def ours():
    """Processes that dtrace has started, and itself: they have the mark in their environment."""
    found = []
    for name in os.listdir('/proc'):
        if not name.isdigit():
            continue
        try:
            with open(f'/proc/{name}/environ', 'rb') as file:
                if MARK.encode() in file.read().split(b'\0'):
                    found.append(int(name))
        except OSError:
            pass
    return found


def all_that_is_left(target):
    return {'processes': len(ours()), 'links': links_to(PROGRAM), 'breakpoints': changed(target)}


def left_of(target):
    """What does not go away. A process that has survived, or the kernel for the dead ones, removes hundreds of probes a second
    on a busy machine: that is waited for as long as there is less and less."""
    least, since = None, time.monotonic()
    while any((left := all_that_is_left(target)).values()):
        if least is None or sum(left.values()) < least:
            least, since = sum(left.values()), time.monotonic()
        if time.monotonic() - since > PATIENCE:
            break
        time.sleep(0.02)
    return ', '.join(f'{count} {what}' for what, count in left.items() if count)


def hierarchy():
    with open('/proc/self/mounts', encoding='utf-8') as mounts:
        for line in mounts:
            word = line.split()
            if word[2] == 'cgroup2':
                return word[1]
    return None


class Group:
    """What is killed at once: a process group, or a cgroup."""

    def __init__(self, root):
        self.cgroup = None if root is None else os.path.join(root, f'killed-groups-{os.getpid()}')
        if self.cgroup:
            os.mkdir(self.cgroup)
        self.process = None

    def start(self, target):
        def prepare():
            os.setpgid(0, 0)
            if self.cgroup:
                with open(os.path.join(self.cgroup, 'cgroup.procs'), 'w', encoding='utf-8') as file:
                    file.write('0')
        key, value = MARK.split('=')
        self.log = open(os.path.join(FOLDER, 'log'), 'w+', encoding='utf-8')
        self.process = subprocess.Popen(
            [DTRACE, '-qn', 'pid$target:target::entry,pid$target:target::return { @[probefunc] = count(); }', '-p', str(target)],
            stdout=subprocess.DEVNULL, stderr=self.log, env={**os.environ, key: value, 'DTRACE_DEBUG': '1'}, preexec_fn=prepare)

    def has_set_all(self):
        self.log.seek(0)
        return 'probes attached' in self.log.read()

    def is_running(self):
        return self.process.poll() is None

    def kill(self):
        if self.cgroup:
            with open(os.path.join(self.cgroup, 'cgroup.kill'), 'w', encoding='utf-8') as file:
                file.write('1')
        else:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def end(self):
        if self.process:
            self.process.wait()  # the parent of what has been killed
            self.log.close()

    def remove(self):
        if self.cgroup:
            os.rmdir(self.cgroup)


def wait_for(condition, group):
    while group.is_running() and not condition():
        time.sleep(0.002)


def kill_at_a_moment(group, target, kind, chance, armed, removed):
    if kind == 0:
        time.sleep(chance.uniform(0, armed))
    elif kind == 1:
        wait_for(lambda: changed(target) > 0, group)
        time.sleep(chance.uniform(0, 0.015))
    else:
        wait_for(group.has_set_all, group)
        group.process.send_signal(signal.SIGINT)
        time.sleep(chance.uniform(0, removed))
    group.kill()
    if chance.random() < 0.5:
        time.sleep(chance.uniform(0, 0.015))
        group.kill()


def rounds_of(name, root, target):
    chance = random.Random(SEED)
    group = Group(root)
    try:
        # One that is left alone says how long it takes.
        began = time.monotonic()
        group.start(target)
        wait_for(group.has_set_all, group)
        armed = time.monotonic() - began
        print(f'{name}: breakpoints are there: {changed(target) > 1000}, and links: {links_to(PROGRAM) > 0}')
        began = time.monotonic()
        group.process.send_signal(signal.SIGINT)
        group.end()
        removed = time.monotonic() - began
        for number in range(ROUNDS):
            group.start(target)
            kill_at_a_moment(group, target, number % 3, chance, armed, removed)
            group.end()
            if left := left_of(target):
                print(f'{name}: round {number} of seed {SEED}: left: {left}')
                return
        print(f'{name}: nothing is left')
    finally:
        if group.process:
            group.kill()
        group.end()
        group.remove()


def main():
    shutil.copy(os.path.realpath('/bin/bash'), PROGRAM)
    os.chmod(PROGRAM, 0o755)
    process = subprocess.Popen([PROGRAM, '-c', 'while :; do for ((i = 0; i < 1000; i++)); do :; done; sleep 0.05; done'],
                               stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        rounds_of('group', None, process.pid)
        root = hierarchy()
        if root and os.path.exists(os.path.join(root, 'cgroup.procs')):
            rounds_of('cgroup', root, process.pid)
        print('the program runs on' if process.poll() is None else f'the program has ended: {process.returncode}')
    finally:
        process.kill()
        process.wait()


main()
