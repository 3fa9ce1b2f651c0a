#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: -x format=perfetto writes Perfetto's trace: tracks of processes and threads, calls as slices that last as long as
#   the program says, other rows as instants with typed values, and aggregations as counters.
# SECTION: Output formats    @@timeout: 60
here=$(realpath "$(dirname "$0")") || exit 1
cd "$tmpdir" || exit 1
cat >check.py <<'PYTHON'
import os, re, struct, subprocess, sys, time

dtrace, here, triggers = sys.argv[1:]
sys.path.insert(0, here)
from read_formats import message, signed

TYPES = {1: 'begin', 2: 'end', 3: 'instant', 4: 'counter'}


def expect(what, seen, wanted):
    if seen != wanted:
        print(f'{what}: {str(seen)[:900]}\n  not {str(wanted)[:900]}')


def run(program, *options, stderr='', status=0):
    """Tracks by number, and events in order of time."""
    ran = subprocess.run([dtrace, '-qn', program, '-o', 'out:perfetto', *options], capture_output=True, text=True)
    if ran.returncode != status or not re.fullmatch(stderr, ran.stderr, re.S) or ran.stdout:
        print(f'status {ran.returncode}: {ran.stdout[:300]}{ran.stderr[:500]}')
    tracks, events, clocks = {}, [], {}
    with open('out', 'rb') as file:
        packets = message(file.read())[1]
    for packet in map(message, packets):
        expect('sequence', packet[10], [1])
        if 6 in packet:
            clocks = {message(clock)[1][0]: message(clock)[2][0] for clock in message(packet[6][0])[1]}
        if 60 in packet:
            about = message(packet[60][0])
            track = {'name': about.get(2, [b''])[0].decode(), 'parent': about.get(5, [0])[0], 'counter': 8 in about}
            if 3 in about:
                process = message(about[3][0])
                track |= {'process': process[1][0], 'name': process.get(6, [b''])[0].decode()}
            if 4 in about:
                thread = message(about[4][0])
                track |= {'pid': thread[1][0], 'tid': thread[2][0], 'name': thread.get(5, [b''])[0].decode()}
            tracks[about[1][0]] = track
        if 11 in packet:
            of = message(packet[11][0])
            expect('clock', packet[58], [3])
            values = {}
            for annotation in map(message, of.get(4, [])):
                name = annotation[10][0].decode()
                values[name] = (annotation[3][0] if 3 in annotation else signed(annotation[4][0]) if 4 in annotation
                                else struct.unpack('<d', annotation[5][0].to_bytes(8, 'little'))[0] if 5 in annotation
                                else annotation[6][0].decode())
            events.append({'time': packet[8][0], 'type': TYPES[of[9][0]], 'track': tracks[of[11][0]],
                           'name': of.get(23, [b''])[0].decode(), 'category': of.get(22, [b''])[0].decode(),
                           'values': values, 'value': signed(of.get(30, [0])[0])})
    events.sort(key=lambda event: event['time'])
    return clocks, events


print('== slices')
clocks, events = run('''syscall::write:entry /pid == $target/ { printf("%d %s", arg2, execname); self->t = timestamp; }
  syscall::write:return /self->t/ { trace(arg1); trace(timestamp - self->t); self->t = 0; }
  pid$target:paths:left:entry, pid$target:paths:left:return { trace(probefunc); }''', '-c', f'{triggers}/paths')
now = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
expect('clocks', [0 < now - clocks[3] < 60e9, abs(clocks[1] - time.time_ns()) < 60e9, clocks[6] >= clocks[3]], [True] * 3)
open_calls, slices = [], []
for event in events:
    if event['type'] == 'begin':
        open_calls.append(event)
    elif event['type'] == 'end':
        begin = open_calls.pop()
        slices.append((begin['name'], len(open_calls), begin['values'].get('arg2'), event['values'].get('arg1')))
        if begin['name'] == 'write':
            expect('duration', event['time'] - begin['time'], event['values']['timestamp - self->t'])
            expect('values', begin['values']['execname'], 'paths')
            expect('category', begin['category'], 'syscall')
expect('slices', slices, [('write', 1, 10, 10), ('left', 0, None, None)] * 3 + [('write', 0, size, size) for size in range(5)])
track = events[0]['track']
expect('track', (track['name'], track['pid'] == track['tid']), ('paths', True))
if not all(event['track'] is track and clocks[3] < event['time'] < now for event in events):
    print('tracks or times', events)

print('== instants')
clocks, events = run('''sdt:::sched_process_exec /pid == $target/ { trace(pid); trace(tid); }
  syscall::exit_group:entry /pid == $target/ { trace((uint64_t)-1); trace((int8_t)-3); trace("a\\"b"); ustack(); printf("text\\n"); }
  BEGIN { trace(1); } tick-1ms /!n++/ { trace(cpu); }''', '-c', f'{triggers}/paths')
leaving = [event for event in events if event['name'] == 'exit_group']
expect('instants', {event['type'] for event in events}, {'instant'})
expect('values', [value for name, value in leaving[0]['values'].items() if name not in ('ustack', 'ustack()')], [2**64 - 1, -3, 'a"b', 'text\n'])
expect('stack', [len(value.split(';')) > 2 for name, value in leaving[0]['values'].items() if name.startswith('ustack')], [True])
expect('probes', {'BEGIN', 'tick-1ms'} <= {event['name'] for event in events}, True)

print('== counters')
clocks, events = run('''syscall::write:entry /pid == $target/ { @bytes[execname, arg2] = sum(arg2); @ = count(); @q = quantize(arg2); }
  syscall::write:return /pid == $target/ { printa(@); }''', '-c', f'{triggers}/paths',
                     stderr=r'dtrace: format perfetto: left out: @q \(a histogram cannot be a counter\) of 1 value\n')
counts = [event for event in events if event['type'] == 'counter' and event['track']['name'] == '@']
values = [event['value'] for event in counts]
expect('counts', (len(values), values == sorted(values), values[-1], values[0] > 0), (8, True, 8, True))
expect('sums', {event['track']['name']: event['value'] for event in events if event['track']['name'].startswith('@bytes')},
       {'@bytes[paths, 10]': 30} | {f'@bytes[paths, {size}]': size for size in range(5)})
expect('tracks', all(event['track']['counter'] for event in counts), True)

print('== files')
with open('out', 'w') as file:
    file.write('old')
run('BEGIN { trace(1); exit(3); }', status=3)
run('BEGIN { trace(1); freopen("other"); exit(0); }', '-w', stderr='dtrace: error in .*cannot be sent elsewhere\n')
expect('files', sorted(os.listdir('.')), ['check.py', 'out'])
PYTHON
/usr/bin/python3 -B check.py "$dtrace" "$here" "$triggers"
