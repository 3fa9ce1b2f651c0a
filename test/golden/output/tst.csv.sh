#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: -x format=csv writes what a reader of RFC 4180 takes apart again: a header per clause and per aggregation, and
#   values that are those of the program.
# SECTION: Output formats    @@timeout: 60    @@tags: userland
cd "$tmpdir" || exit 1
cat >check.py <<'PYTHON'
import csv, io, re, subprocess, sys

dtrace, triggers = sys.argv[1:]


def run(program, *options, stderr=''):
    """Tables by their first field: the header, then lines."""
    ran = subprocess.run([dtrace, '-xformat=csv', '-qn', program, *options], capture_output=True)
    if ran.returncode != 0 or not re.fullmatch(stderr, ran.stderr.decode(), re.S):
        print(f'status {ran.returncode}: {ran.stderr.decode()[:500]}')
    if b'\n' in re.sub(rb'"[^"]*"', b'', ran.stdout.replace(b'\r\n', b'')):
        print('a line does not end in CR LF')
    tables, header = {}, None
    for line in csv.reader(io.StringIO(ran.stdout.decode(), newline=''), strict=True):
        if line[0] in ('clause', 'aggregation'):
            header = line
            continue
        table = tables.setdefault(line[0], [header])
        if len(line) != len(table[0]):
            print('columns', table[0], line)
        table.append(line)
    return tables


def expect(what, seen, wanted):
    if seen != wanted:
        print(f'{what}: {str(seen)[:900]}\n  not {str(wanted)[:900]}')


print('== rows')
tables = run(r'''struct point { int x; char name[4]; }; struct point p;
  BEGIN { trace(-5); trace((uint64_t)-1); trace("a,\"b\"\r\n;"); p.x = 3; p.name[0] = 'n'; print(p); printf("%d and %s\n", 7, "x y");
    m = (char *)alloca(2); m[1] = 255; tracemem(m, 2); printf("text\n"); }
  BEGIN { printf("%s", probename); exit(0); }''')
expect('tables', sorted(tables), ['dt_clause_0', 'dt_clause_1'])
header, line = tables['dt_clause_0']
expect('header', header[:7], ['clause', 'time_ns', 'cpu', 'provider', 'module', 'function', 'name'])
expect('columns', header[7:], ['-5', '(uint64_t)-1', '"a,\\"b\\"\\r\\n;"', 'p', '7', '"x y"', 'm', 'printf'])
expect('values', line[7:], ['-5', str(2**64 - 1), 'a,"b"\r\n;', '{"x":3,"name":"n"}', '7', 'x y', '00ff', 'text\n'])
expect('probe', line[3:7], ['dtrace', '', '', 'BEGIN'])
expect('the other clause', [tables['dt_clause_1'][0][7:], tables['dt_clause_1'][1][7:]], [['probename'], ['BEGIN']])

print('== branches')
tables = run('''syscall::write:entry /pid == $target/ { if (arg2 == 10) { trace(arg2); } else { printf("%d %s", arg2, execname); } }''', '-c', f'{triggers}/paths')
expect('branches', [line[7:] for line in tables['dt_clause_0'][1:]], [['10', '', '']] * 3 + [['', str(i), 'paths'] for i in range(5)])
times = [int(line[1]) for line in tables['dt_clause_0'][1:]]
expect('in order', times == sorted(times) and times[0] > 0, True)

print('== aggregations')
tables = run('''syscall::write:entry /pid == $target/ { @[execname, arg2] = count(); @s["x"] = sum(-arg2); @q = quantize(arg2);
  @l = lquantize(arg2, 0, 4, 2); @st[ustack()] = count(); @a = avg(arg2); }''', '-c', f'{triggers}/paths')
expect('count', tables['@'][0], ['aggregation', 'execname', 'arg2', 'count'])
expect('counts', sorted(line[1:] for line in tables['@'][1:]), [['paths', '0', '1'], ['paths', '1', '1'], ['paths', '10', '3'], ['paths', '2', '1'],
                                                               ['paths', '3', '1'], ['paths', '4', '1']])
expect('sum', tables['@s'], [['aggregation', '"x"', 'sum'], ['@s', 'x', '-40']])
expect('quantize', tables['@q'], [['aggregation', 'least', 'greatest', 'count']] + [['@q', *row] for row in (
    ['0', '0', '1'], ['1', '1', '1'], ['2', '3', '2'], ['4', '7', '1'], ['8', '15', '3'])])
expect('lquantize', [line[1:] for line in tables['@l'][1:]], [['0', '1', '2'], ['2', '3', '2'], ['4', '', '4']])
expect('avg', tables['@a'][1], ['@a', '5'])
expect('stacks', sorted((('left' if 'paths`main;paths`left;paths`work;' in line[1] else 'right'), line[2]) for line in tables['@st'][1:]),
       [('left', '3'), ('right', '5')])

print('== printa, CPUs, time')
tables = run('BEGIN { @x[1] = count(); printa(@x); @x[1] = count(); printa("%d", @x); trace(2); exit(0); }')
expect('printa', tables['@x'], [['aggregation', '1', 'count'], ['@x', '1', '1'], ['@x', '1', '2']] if tables['@x'][1][2] == '1' else
       [['aggregation', '1', 'count'], ['@x', '1', '2'], ['@x', '1', '2']])
tables = run('BEGIN { @x = sum(5); exit(0); }', '-xaggpercpu')
expect('CPUs', (tables['@x'][0], tables['@x'][1], sum(int(line[2]) for line in tables['@x'][2:])), (['aggregation', 'cpu', 'sum'], ['@x', '', '5'], 5))
tables = run('BEGIN { trace(1); exit(0); }', '-xstamp')
expect('time', (tables['dt_clause_0'][0][:2], bool(re.fullmatch(r'20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00', tables['dt_clause_0'][1][1]))),
       (['clause', 'time'], True))
print('== formulas')
named = r'''BEGIN { trace("=1+1"); trace(-5); trace("-5"); printf("%s %d", "@x", -6); @c["+1", -1] = sum(-3); exit(0); }'''
tables = run(named)
expect('escaped', (tables['dt_clause_0'][1][7:], tables['@c'][1]), (["'=1+1", '-5', "'-5", "'@x", '-6'], ['@c', "'+1", '-1', '-3']))
tables = run(named, '-xcsvformulas=keep')
expect('kept', (tables['dt_clause_0'][1][7:], tables['@c'][1]), (['=1+1', '-5', '-5', '@x', '-6'], ['@c', '+1', '-1', '-3']))
run('BEGIN { trace(*(int *)16); } BEGIN { exit(0); }', stderr=r'dtrace: error in dt_clause_0 .*invalid address.*\n')
PYTHON
/usr/bin/python3 check.py "$dtrace" "$triggers"
