#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: formats flame and svg have the stacks and sums of format folded from the same run, the kind of each frame, and
#   what was lost or left out; no text of a traced program can end the data of the page.
# SECTION: Output formats    @@timeout: 120    @@tags: userland
here=$(realpath "$(dirname "$0")") || exit 1
cd "$tmpdir" || exit 1
cat >check.py <<'PYTHON'
import re, sys

dtrace, here, triggers = sys.argv[1:]
sys.path.insert(0, here)
from flame_run import Page, build, titles, trace
from read_formats import folded


def expect(what, seen, wanted):
    if seen != wanted:
        print(f'{what}: {str(seen)[:900]}\n  not {str(wanted)[:900]}')


def read(name, how=lambda text: text):
    with open(name, encoding='utf-8') as file:
        return how(file.read())


def valued(lines):
    return {stack: value for stack, value in lines.items() if value}


outputs = [word for name in ('folded', 'flame', 'svg') for word in ('-o', f'out.{name}:{name}')]
paths = ['-c', f'{triggers}/paths']
shape = build('.')

print('== the sums of format folded')
trace(dtrace, '-n', '''syscall::write:entry /pid == $target/ { @[execname, ustack()] = count(); @bytes[arg2, stack(), ustack()] = sum(arg2);
  @q[ustack()] = quantize(arg2); @a[ustack()] = avg(arg2); @m[ustack()] = min(arg2); ustack(); }''', *outputs, *paths)
page = Page('out.flame')
expect('as folded', page.folded(True), valued(read('out.folded', folded)))
expect('views', sorted((name, sum(values.values())) for name, values in page.views.items()),
       [('@', 8), ('@a', 12), ('@bytes', 40), ('@m', 10), ('@q', 8), ('syscall:vmlinux:write:entry', 8)])
drawn = titles('out.svg')
expect('picture', sum(value for kind, name, value in drawn if name == 'paths`left'), 3 + 30 + 3 + 10 + 10 + 3)

print('== kinds')
trace(dtrace, '-n', 'syscall::getppid:entry /pid == $target/ { @[execname, stack(), ustack()] = count(); }', *outputs, '-c', shape)
page = Page('out.flame')
expect('as folded', page.folded(), read('out.folded', folded))
by_kind = {}
for path, value in page.views['@'].items():
    for name, kind in path:
        by_kind.setdefault(kind, {}).setdefault(name, 0)
        by_kind[kind][name] += value
expect('keys', by_kind['key'], {'shape': 4})
expect('note', page.notes['shape', 'key'], 'execname')
expect('inlined', by_kind['inlined'], {'shape`work': 3})
expect('program', {name: by_kind['user'].get(name) for name in ('shape`main', 'shape`outer', 'shape`other', 'shape`work')},
       {'shape`main': 4, 'shape`outer': 3, 'shape`other': 1, 'shape`work': None})
expect('kernel', bool(by_kind['kernel']) and all(name.startswith('vmlinux`') for name in by_kind['kernel']), True)
expect('picture', {(kind, name, value) for kind, name, value in titles('out.svg') if name.startswith('shape')},
       {('key', 'shape', 4), ('user', 'shape`main', 4), ('user', 'shape`_start', 4), ('user', 'shape`outer', 3),
        ('inlined', 'shape`work', 3), ('user', 'shape`other', 1)})
trace(dtrace, '-n', 'syscall::getppid:entry /pid == $target/ { @[ustack(200)] = count(); }', *outputs, '-c', '/usr/bin/python3 -B leaf.py')
page = Page('out.flame')
managed = [name for path in page.views['@'] for name, kind in path if kind == 'managed']
expect('Python', managed, ['<module>', 'branch', 'leaf'])
expect('its file', page.notes['leaf', 'managed'].rsplit('/')[-1], 'leaf.py')

print('== a stack that is cut')
trace(dtrace, '-n', 'syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }', *outputs, '-c', f'{shape} deep')
expect('cut', {path[0] for path in Page('out.flame').views['@']}, {('[cut: more frames than wanted]', 'end')})
expect('picture', {(kind, name) for kind, name, value in titles('out.svg') if kind == 'end'}, {('end', '[cut: more frames than wanted]')})

print('== texts that could do harm')
harm = ['</script><script>alert(1)</script>', '<!--', "std::operator<< <char>('y')", 'a;b & c', '\\xff\\xfe', '\\001\\033[31m', '\u2028',
        'Größe', '', '\\\\']
clauses = ' '.join(f'BEGIN {{ @["{text}", stack(1)] = count(); }}' for text in harm)
trace(dtrace, '-n', clauses + ' BEGIN { exit(0); }', *outputs)
page = Page('out.flame')
names = {path[0][0] for path in page.views['@']}
expect('keys', names, {'</script><script>alert(1)</script>', '<!--', "std::operator<< <char>('y')", 'a;b & c', '\ufffd\ufffd',
                       '\\001\\033[31m', '\\342\\200\\250', 'Größe', '""', '\\'})
expect('as folded', {stack.split(';')[0] for stack in page.folded()}, {stack.split(';')[0] for stack in read('out.folded', folded)})
expect('picture', {name for kind, name, value in titles('out.svg') if kind == 'key'}, names)
if 'alert(1)</script>' in page.text:
    print('a key ends the data')

print('== what a page states')
trace(dtrace, '-xaggsize=4k', '-o', 'out.flame:flame', '-o', 'out.svg:svg', '-n',
      'syscall::write:entry /pid == $target/ { @[ustack()] = count(); trace(*(int *)8); } syscall::write:return /pid == $target/ { trace(arg1); @n = count(); }',
      *paths, stderr='.*invalid address.*left out: @n \\(not keyed by a stack\\), 8 rows without a stack\n.*')
page = Page('out.flame')
expect('incomplete', page.run['incomplete'],
       ['8 firings ended by an error', 'format flame shows stacks; left out: @n (not keyed by a stack), 8 rows without a stack'])
expect('command', page.run['command'].split(' ')[1:6], ['-q', '-xaggsize=4k', '-o', 'out.flame:flame', '-o'])
expect('time', bool(re.match(r'20\d\d-\d\d-\d\dT', page.run['began'])) and 0 < page.run['lasted_ns'] < 60e9, True)
expect('picture', '8 firings ended by an error' in read('out.svg'), True)
with open('script.d', 'w') as file:
    file.write('BEGIN { @[stack()] = count(); exit(0); } /* of a script */\n')
trace(dtrace, '-s', 'script.d', '-o', 'out.flame:flame')
expect('script', Page('out.flame').run['scripts'], read('script.d'))

print('== a program without stacks')
trace(dtrace, '-n', 'BEGIN { @ = count(); exit(0); }', *outputs,
      stderr=''.join(rf'dtrace: format {name} shows stacks; left out: @ \(not keyed by a stack\)\n' for name in ('folded', 'flame', 'svg')))
expect('views', Page('out.flame').views, {})
expect('picture', 'No stacks were recorded' in read('out.svg'), True)

print('== saved runs')
trace(dtrace, '-n', 'syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }', '-o', 'saved:json', '-o', 'out.flame:flame', '-c', shape)
trace(dtrace, '--merge', '-o', 'merged.flame:flame', 'saved', 'saved')
merged = Page('merged.flame')
expect('merged', merged.views['@'], {path: 2 * value for path, value in Page('out.flame').views['@'].items()})
expect('keeps inlined functions', ('shape`work', 'inlined') in {frame for path in merged.views['@'] for frame in path}, True)
trace(dtrace, '-n', 'syscall::getppid:entry /pid == $target/ { @[ustack(200)] = count(); }', '-o', 'saved.python:json', '-o', 'out.flame:flame',
      '-c', '/usr/bin/python3 -B leaf.py')
trace(dtrace, '--merge', '-o', 'merged.flame:flame', 'saved.python', 'saved.python')
expect('Python merged', Page('merged.flame').views['@'], {path: 2 * value for path, value in Page('out.flame').views['@'].items()})
expect('facts', sorted(merged.run), ['command', 'incomplete'])
PYTHON
/usr/bin/python3 -B check.py "$dtrace" "$here" "$triggers"
