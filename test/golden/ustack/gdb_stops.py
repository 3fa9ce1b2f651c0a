#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gdb_stops.py DTRACE STOPS COMMAND...: are the user stacks of a running command those that gdb sees?

dtrace samples the command's first thread, stops the process right there (`stop()`), and gdb, which is attached, walks the
same stack before it lets the process go on. Prints `N of STOPS equal` and, of the first that are not, both sides' addresses.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile

# What gdb runs: continues to a stop, and writes the addresses of its frames, those of inlined functions left out.
IN_GDB = '''
import gdb, json
gdb.execute("set pagination off")
gdb.execute("set confirm off")
gdb.execute("set backtrace past-main on")
gdb.execute("set backtrace past-entry on")
gdb.execute("set backtrace limit 600")
gdb.execute("handle all nostop noprint pass")
gdb.execute("handle SIGSTOP stop print nopass")
gdb.execute("handle SIGTRAP stop print")
with open({out!r}, "w") as out:
    out.write("[]\\n")
    out.flush()
    for _ in range({stops}):
        gdb.execute("continue", to_string=True)
        frames, frame = [], gdb.newest_frame()
        while frame is not None:
            if frame.type() != gdb.INLINE_FRAME:
                frames.append(frame.pc())
            try:
                frame = frame.older()
            except gdb.error:
                break
        out.write(json.dumps(frames) + "\\n")
        out.flush()
gdb.execute("detach")
'''


def rows(path):
    """The stacks in dtrace's output, in the order of the stops: each CPU has its own."""
    found = []
    with open(path, encoding='utf-8') as items:
        for item in sorted(map(json.loads, items), key=lambda item: item.get('time_ns', 0)):
            for value in item.get('data', ()):
                stack = value.get('value')
                if isinstance(stack, list):
                    found.append([frame if 'cut' in frame else int(frame['address'], 16) for frame in stack
                                  if 'inlined' not in frame and 'language' not in frame])
    return found


def main():
    dtrace, stops, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs, script = (os.path.join(folder, name) for name in ('ours', 'theirs', 'script.py'))
        with open(script, 'w', encoding='utf-8') as out:
            out.write(IN_GDB.format(out=theirs, stops=stops))
        traced = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        gdb = tracer = None
        try:
            gdb = subprocess.Popen(['gdb', '-q', '-nx', '-batch', '-p', str(traced.pid), '-x', script], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            while gdb.poll() is None and not (os.path.exists(theirs) and os.path.getsize(theirs)):
                os.sched_yield()
            program = (f'profile-97 /pid == $target && tid == pid && arg1 && n < {stops}/ {{ n++; ustack(600); stop(); }} '
                       f'profile-97 /n == {stops}/ {{ exit(0); }}')
            tracer = subprocess.Popen([dtrace, '-q', '-w', '-x', 'format=json', '-x', 'switchrate=20hz', '-o', ours, '-p',
                                       str(traced.pid), '-n', program], stdin=subprocess.DEVNULL)
            message = gdb.communicate()[1]
            tracer.wait()
        finally:
            for process in (tracer, gdb, traced):
                if process is not None and process.poll() is None:
                    process.send_signal(signal.SIGKILL)
                    process.wait()
        if not os.path.exists(theirs):
            raise SystemExit(f'gdb: {message}')
        with open(theirs, encoding='utf-8') as lines:
            wanted = [json.loads(line) for line in lines][1:]
        got = rows(ours)
    equal = sum(a == b for a, b in zip(got, wanted))
    print(f'{equal} of {stops} equal')
    for a, b in [pair for pair in zip(got, wanted) if pair[0] != pair[1]][:3]:
        print('ours:', ' '.join(f'{at:x}' if isinstance(at, int) else str(at) for at in a[:60]))
        print('gdb: ', ' '.join(f'{at:x}' for at in b[:60]))
    if len(got) != stops or len(wanted) != stops:
        print(f'{len(got)} stacks of ours, {len(wanted)} of gdb')


main()
