#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: -x format=json writes an object a line, which the published schema describes, for every action and every
#   aggregating function; values have their types, and are those that the text shows.
# SECTION: Output formats    @@timeout: 120
schema=$(realpath "$(dirname "$0")/../../../doc/json-output.schema.json") || exit 1
cd "$tmpdir" || exit 1
cat >check.py <<'PYTHON'
import json, subprocess, sys

import jsonschema

dtrace, schema_file, triggers = sys.argv[1:]
schema = json.load(open(schema_file))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
seen_actions = set()


def run(what, program, *options, keep=()):
    """The lines of a run, checked against the schema; says what is wrong."""
    ran = subprocess.run([dtrace, '-xformat=json', *options, '-qn', program], capture_output=True)
    lines = []
    for line in ran.stdout.decode().splitlines():
        try:
            lines.append(json.loads(line))
        except ValueError:
            print(f'{what}: not JSON: {line[:200]}')
            continue
        for error in validator.iter_errors(lines[-1]):
            print(f'{what}: {line[:300]}\n  {error.message[:200]}')
            break
        seen_actions.update(item['action'] for item in lines[-1].get('data', []))
    if ran.stderr:
        print(f'{what}: {ran.stderr.decode()[:300]}')
    if not lines or lines[0]['type'] != 'begin' or lines[-1]['type'] != 'end' or lines[-1]['status'] != ran.returncode:
        print(f'{what}: status {ran.returncode}, not from begin to end: {lines[:1]} {lines[-1:]}')
    return lines


def data(lines):
    return [item for line in lines if line['type'] == 'row' for item in line['data']]


def expect(what, seen, wanted):
    if seen != wanted:
        print(f'{what}: {json.dumps(seen)[:600]}\n  not {json.dumps(wanted)[:600]}')


print('== values')
lines = run('values', r'''struct inner { int a; char name[8]; };
struct outer { struct inner i; unsigned char bits : 3; uint64_t big; int list[3]; struct inner *next; };
struct outer o;
BEGIN { trace((char)-1); trace((uint16_t)65535); trace(-5); trace((uint64_t)-1); trace("a\"b\\\n\001\377"); trace(NULL);
  o.i.a = -7; o.i.name[0] = 'h'; o.i.name[1] = 'i'; o.bits = 5; o.big = 0xffffffffffffffff; o.list[2] = 3; print(o);
  trace(pid == $pid); exit(0); }''')
expect('trace', [item.get('value') for item in data(lines)[:6]], [-1, 65535, -5, 2**64 - 1, 'a"b\\\n\x01\ufffd', 0])
shown = data(lines)[6]
expect('print', shown, {'action': 'print', 'ctype': 'struct outer', 'value': {
    'i': {'a': -7, 'name': 'hi'}, 'bits': 5, 'big': 2**64 - 1, 'list': [0, 0, 3], 'next': 0}})
row = [line for line in lines if line['type'] == 'row'][0]
expect('probe', [row['probe'][part] for part in ('provider', 'module', 'function', 'name')], ['dtrace', '', '', 'BEGIN'])
if not lines[0]['monotonic_ns'] - 60e9 < row['time_ns'] < lines[0]['monotonic_ns'] + 60e9:
    print('time', row['time_ns'], lines[0])

print('== printf and tracemem')
lines = run('printf', r'''BEGIN { printf("%5d|%s|%x\n", 42, "x y", 255); p = (char *)alloca(4); p[0] = 1; p[3] = 255; tracemem(p, 4);
  tracemem(p, 4, 2); exit(3); }''')
expect('printf', data(lines)[0], {'action': 'printf', 'text': '   42|x y|ff\n', 'values': [42, 'x y', 255]})
expect('tracemem', [item['bytes'] for item in data(lines)[1:3]], ['010000ff', '0100'])
expect('exit', data(lines)[3], {'action': 'exit', 'number': 3})

print('== aggregations')
lines = run('aggregations', '''BEGIN { @c["a", 1] = count(); @c["b", -2] = count(); @c["b", -2] = count(); @s = sum(-5); @mi = min(3); @ma = max(4);
  @av = avg(10); @av = avg(20); @sd = stddev(1); @sd = stddev(5); @q = quantize(-3); @q = quantize(0); @q = quantize(9);
  @l = lquantize(-1, 0, 10, 4); @l = lquantize(5, 0, 10, 4); @l = lquantize(100, 0, 10, 4); @ll = llquantize(123, 10, 0, 3, 10);
  printa(@c); printa("%s %d %@d\\n", @c); exit(0); }''')
first, second = [item for item in data(lines) if item['action'] == 'printa']
wanted = [{'name': 'c', 'function': 'count', 'entries': [{'keys': ['a', 1], 'value': 1}, {'keys': ['b', -2], 'value': 2}]}]
expect('printa', first['aggregations'], wanted)
expect('printa with a format', second['aggregations'], wanted)
rest = {line['name']: line['entries'][0] for line in lines if line['type'] == 'aggregation'}
expect('values', {name: entry['value'] for name, entry in rest.items() if 'value' in entry},
       {'s': -5, 'mi': 3, 'ma': 4, 'av': 15, 'sd': 2})


def buckets(name):
    return [(b['least'], b['greatest'], b['count']) for b in rest[name]['buckets']]


expect('quantize', buckets('q'), [(-3, -2, 1), (0, 0, 1), (8, 15, 1)])
expect('lquantize', buckets('l'), [(None, -1, 1), (4, 7, 1), (8, None, 1)])
expect('llquantize', buckets('ll'), [(100, 199, 1)])

print('== normalized, cut, cleared, by CPU')
lines = run('actions', '''BEGIN { @a[1] = sum(10); @a[2] = sum(20); @b[1] = count(); @d = sum(8); normalize(@a, 10); trunc(@a, 1); clear(@b);
  denormalize(@b); normalize(@d, 2); setopt("aggsortrev"); freopen("other"); printf("into it\\n"); ftruncate(); freopen("");
  exit(0); }''', '-w', '-xaggpercpu')
rest = {line['name']: line for line in lines if line['type'] == 'aggregation'}
expect('normalize', [rest['a'].get('normal'), [(e['keys'], e['value']) for e in rest['a']['entries']]], [10, [([2], 2)]])
expect('clear', rest['b']['entries'][0]['value'], 0)
expect('cpus', sum(share['value'] for share in rest['d']['entries'][0]['cpus']), rest['d']['entries'][0]['value'])

print('== commands')
ran = subprocess.run([dtrace, '-xformat=json', '-wqn', 'BEGIN { system("echo %s", "shown by itself"); exit(0); }'], capture_output=True,
                     text=True).stdout.splitlines()
expect('system', [line for line in ran if not line.startswith('{')], ['shown by itself'])
expect('command', [item for line in ran if line.startswith('{"type":"row"') for item in json.loads(line)['data']],
       [{'action': 'system', 'text': 'echo shown by itself'}, {'action': 'exit', 'number': 0}])

print('== stacks and symbols')
lines = run('stacks', '''syscall::lseek:entry /pid == $target && !done/ { done = 1; stack(); ustack(); jstack(); trace(1); usym(arg1 * 0 + ucaller);
  ufunc(ucaller); umod(ucaller); uaddr(ucaller); sym(0); func(0); mod(0); @[stack(2), ustack(3), usym(ucaller)] = count(); exit(0); }''',
            '-c', f'{triggers}/syscalls 5')
items = {item['action']: item.get('value') for item in data(lines)}
for action in ('stack', 'ustack', 'jstack'):
    if not isinstance(items[action], list) or any(set(frame) != {'address', 'symbol'} for frame in items[action]):
        print(action, items[action])
if not items['ustack'] or 'lseek' not in items['ustack'][0]['symbol']:
    print('ustack', items['ustack'])
for action in ('usym', 'ufunc', 'umod', 'uaddr', 'sym', 'func', 'mod'):
    if not isinstance(items[action], str) or not items[action]:
        print(action, items.get(action))
keys = [line for line in lines if line['type'] == 'aggregation'][0]['entries'][0]['keys']
expect('keys', [type(key).__name__ for key in keys], ['list', 'list', 'str'])

print('== speculations')
lines = run('speculations', '''BEGIN { s = speculation(); t = speculation(); }
  BEGIN { speculate(s); trace("kept"); } BEGIN { speculate(t); trace("not"); } BEGIN { commit(s); } BEGIN { discard(t); } BEGIN { exit(0); }''', '-xnspec=2')
expect('order', [item.get('value') or item['action'] for item in data(lines)], ['kept', 'commit', 'discard', 'exit'])

print('== what went wrong')
lines = run('fault', 'BEGIN { trace(*(int *)16); } ERROR { trace(arg4); } BEGIN { exit(0); }')
fault = [line for line in lines if line['type'] == 'fault'][0]
expect('fault', [fault['message'], fault['value'], fault['clause']], ['invalid address', 16, 'dt_clause_0'])
lines = run('many faults', 'profile-4999 { n++; } profile-4999 { trace(*(int *)16); } tick-10ms /n > 400/ { exit(0); }')
expect('faults', len([line for line in lines if line['type'] == 'fault']), 100)
expect('more', any(line['type'] == 'more-faults' and line['count'] > 100 for line in lines), True)
lines = run('losses', 'tick-1ms { self->a[n++] = 1; @[n] = count(); } tick-1ms { speculate(speculation()); trace(1); } tick-10ms /n > 200/ { exit(0); }',
            '-xnspec=1', '-xaggsize=4k')
told = {}
for line in lines:
    if line['type'] == 'lost':
        for loss in line['losses']:
            told[loss['cause']] = told.get(loss['cause'], 0) + loss['count']
whole = {}
for loss in lines[-1]['losses']:
    whole[loss['cause']] = whole.get(loss['cause'], 0) + loss['count']
if not whole:
    print('nothing was lost')
expect('losses', told, whole)
lines = run('failure', 'BEGIN { freopen("/no/such/file"); exit(0); }', '-w')
expect('failure', 'No such file' in [line for line in lines if line['type'] == 'failure'][0]['message'], True)

print('== all actions')
expect('actions', sorted(seen_actions), sorted('''clear commit denormalize discard exit freopen ftruncate func jstack mod normalize print
    printa printf setopt stack sym trace tracemem trunc uaddr ufunc umod usym ustack'''.split()))
PYTHON
/usr/bin/python3 check.py "$dtrace" "$schema" "$triggers"
