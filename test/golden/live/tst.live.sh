#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: --live shows aggregations on a terminal as they change, ordered, with rates; it follows the window; what the program
#   prints is shown below and printed at the end; the terminal is as it was before, however dtrace ends.
# SECTION: Output formats    @@timeout: 240    @@tags: userland
here=$(realpath "$(dirname "$0")") || exit 1
cd "$tmpdir" || exit 1
cat >check.py <<'PYTHON'
import os, re, signal, subprocess, sys, time

dtrace, here = sys.argv[1:]
sys.path.insert(0, here)
from terminal import Terminal


def section(name):
    print(f'== {name}', flush=True)


def expect(what, seen, wanted):
    if seen != wanted:
        print(f'{what}: {str(seen)[:2000]}\n  not {str(wanted)[:2000]}')


def rows(lines, title):
    """Of the table with that title: its rows as words."""
    start = next((i for i, line in enumerate(lines) if line.lstrip('> ').startswith(title)), None)
    if start is None:
        return None
    found = []
    for line in lines[start + 2:]:
        if not line.strip() or line.lstrip('> ').startswith('@') or line.startswith(('─', 'q quit', '--')):
            break
        found.append(line.split())
    return found


# Three directories, entered one, two and three times, then a wait.
steps = "sh -c 'cd /usr; cd /usr/bin; cd /usr/bin; cd /usr/lib; cd /usr/lib; cd /usr/lib; echo done; exec sleep 1000'"
counts = '''syscall::chdir:entry /pid == $target/ { @dirs[copyinstr(arg0)] = count(); @length = quantize(strlen(copyinstr(arg0))); }
    syscall::chdir:entry /pid == $target/ { printf("chdir %s\\n", copyinstr(arg0)); } tick-100hz { @ticks = count(); }'''


def live(*words, columns=80, lines=24, program=counts, command=steps, **variables):
    target = ['-c', command] if command else []
    return Terminal([dtrace, '--live', '-qn', program, *target, *words], columns, lines, **variables)


def whole(lines):
    return (found := rows(lines, '@dirs')) and len(found) == 3 and found[0][0] == '3' and found


section('values, the largest first')
terminal = live()
seen = terminal.wait('three directories', whole)
expect('rows', [(row[0], row[2]) for row in seen or []], [('3', '/usr/lib'), ('2', '/usr/bin'), ('1', '/usr')])
table = rows(terminal.lines(), '@length')
expect('histogram', [row[:1] + row[2:4] for row in table], [['6', '15', '15']])
expect('title', terminal.lines()[0].startswith('dtrace --live  0:'), True)

section('rates by the second')
rate = lambda lines: (found := rows(lines, '@ticks')) and len(found) == 1 and 20 < float(found[0][1]) < 200
terminal.wait('about 100 ticks a second', rate)
terminal.wait('no more directories', lambda lines: whole(lines) and all(row[1] == '0.0' for row in whole(lines)))

section('what the program and its command print, below')
terminal.wait('the last lines', lambda lines: lines.count('chdir /usr/lib') == 3)

section('another order')
terminal.press('>>')
terminal.wait('by name', lambda lines: [row[2] for row in rows(lines, '@dirs')] == ['/usr', '/usr/bin', '/usr/lib'])
terminal.press('r')
terminal.wait('reversed', lambda lines: [row[2] for row in rows(lines, '@dirs')] == ['/usr/lib', '/usr/bin', '/usr'])
terminal.press('\033[D\033[D')
terminal.wait('by value', lambda lines: [row[0] for row in rows(lines, '@dirs')] == ['3', '2', '1'])

section('paused')
terminal.press(' ')
terminal.wait('a mark', lambda lines: 'PAUSED' in lines[0])
before = rows(terminal.lines(), '@ticks')
for _ in range(15):
    terminal.read(0.1)
expect('nothing moves', rows(terminal.lines(), '@ticks'), before)
terminal.press(' ')
terminal.wait('on', lambda lines: 'PAUSED' not in lines[0] and rows(lines, '@ticks') != before)

section('rows with a text in a key')
terminal.press('/lib')
terminal.wait('while it is typed', lambda lines: lines[-1].startswith('/lib_') and len(rows(lines, '@dirs')) == 1)
terminal.press('\x7f\x7f\x7fbinx\x7f\r')
terminal.wait('another', lambda lines: lines[-1].startswith('q quit') and [row[2] for row in rows(lines, '@dirs')] == ['/usr/bin'])
terminal.press('/\r')
terminal.wait('all', whole)

section('what was lost')
terminal.press('l')
terminal.wait('nothing', lambda lines: lines[1] == 'Nothing was lost.')
terminal.press('l')
terminal.wait('the tables', whole)

section('one of the aggregations, and help')
terminal.press('\t\r')
terminal.wait('alone', lambda lines: rows(lines, '@length') and rows(lines, '@dirs') is None)
terminal.press('?')
terminal.wait('help', lambda lines: any('reverse the order' in line for line in lines))
terminal.press('?\r\t\t')
terminal.wait('all', whole)

section('the window')
for columns, lines in ((20, 5), (10, 2), (1, 1), (200, 50), (60, 16)):
    terminal.resize(columns, lines)
    wanted = '/usr/lib' if columns > 20 else 'dtrace'[:columns] if lines > 1 else None
    terminal.wait(f'{columns} x {lines}', lambda seen: not wanted or any(wanted in line for line in seen))
terminal.resize(20, 5)
small = terminal.wait('small', lambda lines: lines[0].startswith('dtrace  ') and lines[3:] if lines[3].split()[:1] == ['3'] else None)
expect('two rows', [line.split()[0] for line in small or []], ['3', '2'])

section('q')
status, text = terminal.end('q')
expect('keys have colours', '\033[36m/usr/lib\033[39m' in text, True)
text = re.sub('\033\\[\\d+m', '', text)
expect('status', status, 0)
expect('what was printed', re.findall('chdir .*|done', text),
       ['chdir /usr', 'chdir /usr/bin', 'chdir /usr/bin', 'chdir /usr/lib', 'chdir /usr/lib', 'chdir /usr/lib', 'done']
       if text.index('done') > text.index('chdir') else
       ['done', 'chdir /usr', 'chdir /usr/bin', 'chdir /usr/bin', 'chdir /usr/lib', 'chdir /usr/lib', 'chdir /usr/lib'])
expect('the aggregations', re.findall(r' (/usr\S*) +(\d+)$', text, re.M), [('/usr', '1'), ('/usr/bin', '2'), ('/usr/lib', '3')])

section('Ctrl-C, signals, exit() and a crash')
for name, keys, number, wanted in (('Ctrl-C', '\003', None, 0), ('SIGTERM', None, signal.SIGTERM, 0), ('SIGHUP', None, signal.SIGHUP, 0),
                                   ('SIGSEGV', None, signal.SIGSEGV, -signal.SIGSEGV), ('SIGABRT', None, signal.SIGABRT, -signal.SIGABRT)):
    terminal = live(program='tick-100hz { @ticks = count(); }', command=None)
    terminal.wait(name, lambda lines: rows(lines, '@ticks'))
    if os.environ.get('sanitized') and wanted < 0:
        terminal.end('q')
        continue
    expect(name, terminal.end(keys, number)[0], wanted)
terminal = live(program='tick-10hz { @ticks = count(); } tick-10hz /n++ == 20/ { exit(7); }', command=None)
terminal.wait('exit()', lambda lines: rows(lines, '@ticks'))
expect('exit()', terminal.end()[0], 7)

section('stopped and continued')
terminal = live(program='tick-100hz { @ticks = count(); }', command=None)
terminal.wait('ticks', lambda lines: rows(lines, '@ticks'))
terminal.signal(signal.SIGSTOP)
os.waitid(os.P_PID, terminal.process.pid, os.WSTOPPED)
subprocess.run(['stty', 'sane'], stdin=terminal.slave, check=True)  # what a shell does meanwhile
terminal.signal(signal.SIGCONT)
terminal.screen.reset()
terminal.wait('drawn anew', lambda lines: rows(lines, '@ticks'))
terminal.press('q')
terminal.end()

section('colours')
for words, variables, wanted in (([], {}, True), ([], {'NO_COLOR': '1'}, False), (['--color=never'], {}, False)):
    terminal = live(*words, **variables)
    terminal.wait('directories', whole)
    expect((words, variables), b'\033[36m' in terminal.bytes, wanted)
    terminal.end('q')

section('clear(), and no terminal')
terminal = live(program='tick-10hz { @n = sum(5); } tick-10hz /++n % 10 == 0/ { clear(@n); }', command=None)
terminal.wait('a rate after clear()', lambda lines: (found := rows(lines, '@n')) and float(found[0][1]) > 0)
terminal.end('q')
program = ['-qn', 'BEGIN { exit(0); }']
for words, variables in (([], {'TERM': 'dumb'}), ([], {'TERM': None}), (['-e'], {})):
    terminal = Terminal([dtrace, '--live', *program, *words], **variables)
    print(*terminal.end(), sep=': ', end='')
seen = subprocess.run([dtrace, '--live', *program], capture_output=True, text=True)
print(f'{seen.returncode}: {seen.stdout}{seen.stderr}', end='')
PYTHON
/usr/bin/python3 -B check.py "${dtrace:-$1}" "$here"
