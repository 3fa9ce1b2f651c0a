#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: formats folded and pprof hold the values that the text shows of stacks, of one run with several outputs;
#   frames, keys, mappings and build IDs are those of the program.
# SECTION: Output formats    @@timeout: 120
here=$(realpath "$(dirname "$0")") || exit 1
cd "$tmpdir" || exit 1
cat >check.py <<'PYTHON'
import json, os, re, subprocess, sys, time

dtrace, here, triggers = sys.argv[1:]
sys.path.insert(0, here)
from read_formats import Profile, folded


def run(program, *options, status=0, stderr=''):
    ran = subprocess.run([dtrace, '-qn', program, *options], capture_output=True, text=True)
    if ran.returncode != status or not re.fullmatch(stderr, ran.stderr, re.S):
        print(f'status {ran.returncode}: {ran.stdout[:300]}{ran.stderr[:500]}')
    return ran.stdout


def expect(what, seen, wanted):
    if seen != wanted:
        print(f'{what}: {str(seen)[:900]}\n  not {str(wanted)[:900]}')


def read(name, how=lambda text: text):
    for mode in ('r', 'rb'):
        try:
            with open(name, mode) as file:
                return how(file.read())
        except UnicodeDecodeError:
            pass


def by_path(lines):
    """Values by what is called from main(), and by the first key."""
    return {('left' if '`left' in stack else 'right' if '`right' in stack else stack): value for stack, value in lines.items()}


outputs = [word for name in ('text', 'folded', 'pprof', 'json') for word in ('-o', f'out.{name}:{name}')]
paths = ['-c', f'{triggers}/paths']

print('== a count by user stacks')
run('syscall::write:entry /pid == $target/ { @[ustack()] = count(); }', *outputs, *paths)
lines = read('out.folded', folded)
expect('folded', by_path(lines), {'left': 3, 'right': 5})
for stack in lines:
    frames = stack.split(';')
    start = frames.index('paths`main')
    expect('frames', frames[start:start + 3] in (['paths`main', 'paths`left', 'paths`work'],
                                                ['paths`main', 'paths`right', 'paths`work']), True)
    expect('leaf', frames[-1].startswith('libc.so.6`') and 'write' in frames[-1], True)
text = read('out.text')
blocks = re.findall(r'((?:^ +\S+[`+]\S+\n)+) +(\d+)\n', text, re.M)
as_text = {}
for frames, value in blocks:
    names = [re.sub(r'(`.*)\+0x[0-9a-f]+$', r'\1', line.strip()) for line in frames.splitlines()]
    as_text[';'.join(reversed(names))] = int(value)
expect('as the text', lines, as_text)
profile = read('out.pprof', Profile)
expect('types', profile.types, ['count'])
expect('as the profile', {';'.join(sample['stack']): sample['values']['count'] for sample in profile.samples},
       {';'.join(frame.split('`')[-1] for frame in stack.split(';')): value for stack, value in lines.items()})
if not time.time() - 60 < profile.time_ns / 1e9 < time.time() or not 0 < profile.duration_ns < 60e9:
    print('time', profile.time_ns, profile.duration_ns)

print('== mappings and build IDs')


def build_id(file):
    notes = subprocess.run(['readelf', '-n', file], capture_output=True, text=True).stdout
    return re.search(r'Build ID: (\w+)', notes).group(1)


for sample in profile.samples:
    for name, address, mapping in zip(sample['stack'], sample['addresses'], sample['mappings']):
        if not mapping['start'] <= address < mapping['limit']:
            print('outside of its mapping', name, hex(address), mapping)
        if name in ('main', 'left', 'right', 'work'):
            expect('file', mapping['file'], os.path.realpath(f'{triggers}/paths'))
        expect('build ID', mapping['build_id'], build_id(mapping['file']))
entries = [json.loads(line)['entries'] for line in read('out.json').splitlines() if '"type":"aggregation"' in line][0]
expect('addresses', sorted([int(frame['address'], 16) for frame in reversed(entry['keys'][0])] for entry in entries),
       sorted(sample['addresses'] for sample in profile.samples))

print('== sums, averages and histograms by other keys, with kernel frames')
run('''syscall::write:entry /pid == $target/ { @bytes[execname, arg2, ustack()] = sum(arg2); @a[ustack()] = avg(arg2);
  @q[stack(), ustack()] = quantize(arg2); @d[ustack()] = stddev(arg2); @m[ustack()] = min(arg2); @x[ustack()] = max(arg2); }''',
    *outputs, *paths)
lines = read('out.folded', folded)
expect('sum', sorted((stack.split(';')[1:3] + ['left' if '`left' in stack else 'right'], value) for stack, value in lines.items() if stack.startswith('@bytes;')),
       [(['paths', '0', 'right'], 0), (['paths', '1', 'right'], 1), (['paths', '10', 'left'], 30), (['paths', '2', 'right'], 2),
        (['paths', '3', 'right'], 3), (['paths', '4', 'right'], 4)])
for name, wanted in {'@a': {'left': 10, 'right': 2}, '@q': {'left': 3, 'right': 5}, '@d': {'left': 0, 'right': 1},
                     '@m': {'left': 10, 'right': 0}, '@x': {'left': 10, 'right': 4}}.items():
    expect(name, by_path({stack: value for stack, value in lines.items() if stack.startswith(name + ';')}), wanted)
of_kernel = [stack.split(';') for stack in lines if stack.startswith('@q;')]
for frames in of_kernel:
    kernel = [frame.endswith('_[k]') for frame in frames]
    if not kernel[-1] or kernel != sorted(kernel) or not frames[-1].startswith('vmlinux`'):
        print('kernel frames', frames)
profile = read('out.pprof', Profile)
expect('types', sorted(profile.types), ['a.count', 'a.sum', 'bytes.sum', 'd.count', 'd.stddev', 'd.sum', 'm.min', 'q.count', 'x.max'])


def values(kind):
    out = {}
    for sample in profile.samples:
        if sample['values'][kind]:
            path = 'left' if 'left' in sample['stack'] else 'right'
            out[path] = out.get(path, 0) + sample['values'][kind]
    return out


for kind, wanted in {'bytes.sum': {'left': 30, 'right': 10}, 'a.count': {'left': 3, 'right': 5}, 'a.sum': {'left': 30, 'right': 10},
                     'd.stddev': {'right': 1}, 'm.min': {'left': 10}, 'x.max': {'left': 10, 'right': 4},
                     'q.count': {'left': 3, 'right': 5}}.items():
    expect(kind, values(kind), wanted)
expect('labels', sorted((sample['labels']['execname'], sample['labels']['arg2'], sample['values']['bytes.sum'])
                        for sample in profile.samples if 'arg2' in sample['labels']),
       [('paths', 0, 0), ('paths', 1, 1), ('paths', 2, 2), ('paths', 3, 3), ('paths', 4, 4), ('paths', 10, 30)])
expect('buckets', sorted((sample['labels']['bucket.least'], sample['labels']['bucket.greatest'], sample['values']['q.count'])
                         for sample in profile.samples if 'bucket.least' in sample['labels']),
       [(0, 0, 1), (1, 1, 1), (2, 3, 2), (4, 7, 1), (8, 15, 3)])
kernel = [mapping for sample in profile.samples for mapping in sample['mappings'] if mapping and mapping['file'].startswith('[kernel')]
with open('/sys/kernel/notes', 'rb') as notes:
    running = notes.read().hex()
expect('the kernel', bool(kernel) and all(mapping['build_id'] and mapping['build_id'] in running for mapping in kernel), True)

print('== rows with stacks, and what has none')
run('''syscall::write:entry /pid == $target/ { ustack(); } syscall::write:return /pid == $target/ { trace(arg1); }
  END { @n = count(); printa(@n); }''', *outputs, *paths,
    stderr=r'dtrace: format folded shows stacks; left out: @n \(not keyed by a stack\), 8 rows without a stack\n'
           r'dtrace: format pprof shows stacks; left out: @n \(not keyed by a stack\), 8 rows without a stack\n')
expect('rows', by_path(read('out.folded', folded)), {'left': 3, 'right': 5})
profile = read('out.pprof', Profile)
expect('rows', values('rows'), {'left': 3, 'right': 5})
expect('probe', {sample['labels']['probe'] for sample in profile.samples}, {'syscall:vmlinux:write:entry'})

print('== saved runs')
run('syscall::write:entry /pid == $target/ { @[execname, stack(), ustack()] = count(); @s[ustack()] = sum(arg2); }', '-o', 'saved:json',
    '-o', 'out.folded:folded', '-o', 'out.pprof:pprof', *paths)
merged = subprocess.run([dtrace, '--merge', '-o', 'merged:folded', '-o', 'merged.pprof:pprof', 'saved'], capture_output=True, text=True)
expect('merged', (merged.returncode, merged.stderr), (0, ''))
expect('folded', read('merged', folded), read('out.folded', folded))
expect('pprof', sorted((sample['stack'], sorted(sample['values'].items())) for sample in read('merged.pprof', Profile).samples),
       sorted((sample['stack'], sorted(sample['values'].items())) for sample in read('out.pprof', Profile).samples))

print('== intervals')
run('''syscall::write:entry /pid == $target/ { @[ustack()] = count(); } syscall::write:entry /pid == $target && ++n == 4/ { printa(@); clear(@); }
  END { printa(@); }''', *outputs, *paths)
expect('cleared', by_path(read('out.folded', folded)), {'left': 3, 'right': 5})
run('''syscall::write:entry /pid == $target/ { @[ustack()] = count(); } syscall::write:entry /pid == $target/ { printa(@); }''', *outputs, *paths)
expect('shown again and again', by_path(read('out.folded', folded)), {'left': 3, 'right': 5})
expect('in the profile', sum(sample['values']['count'] for sample in read('out.pprof', Profile).samples), 8)

print('== escapes')
run('BEGIN { @["a;b c\\n", 1, stack(1)] = count(); @["", -5, stack(1)] = count(); @["\\377", 2, stack(1)] = count(); exit(0); }', *outputs)
expect('folded', {tuple(stack.split(';')[:2]) for stack in read('out.folded', folded)}, {('a:b c\\012', '1'), ('""', '-5'), ('\ufffd', '2')})
expect('pprof', {tuple(sample['labels'].values()) for sample in read('out.pprof', Profile).samples}, {('a;b c\n', 1), ('""', -5), ('\ufffd', 2)})

print('== numbers out of range')
run('BEGIN { @[stack()] = sum(-1); @k[(uint64_t)-1, stack()] = count(); exit(0); }', *outputs,
    stderr=r'dtrace: format folded: left out: 1 value of @: negative: a frame cannot have a negative width\n')
expect('folded', [stack.split(';')[:2] for stack in read('out.folded', folded)], [['@k', str(2**64 - 1)]])
profile = read('out.pprof', Profile)
expect('pprof', [list(sample['values'].values()) for sample in profile.samples], [[-1, 0], [0, 1]])
expect('key', list(profile.samples[1]['labels'].values()), [str(2**64 - 1)])

print('== files')
os.chmod('out.pprof', 0o640)
inode = os.stat('out.pprof').st_ino
run('BEGIN { @[stack()] = count(); exit(0); }', '-xformat=pprof', '-o', 'out.pprof')
expect('replaced', (os.stat('out.pprof').st_ino != inode, oct(os.stat('out.pprof').st_mode & 0o777)), (True, '0o640'))
expect('nothing left behind', [name for name in os.listdir('.') if not re.fullmatch(r'check.py|out\.\w+|merged.*|saved|.*pycache.*', name)], [])
before = read('out.pprof', bytes)
run('BEGIN { @[stack()] = count(); exit(0); }', '-xformat=pprof', '-o', '/dev/full', status=1,
    stderr='dtrace: failed to write to /dev/full: No space left on device\n')
run('BEGIN { exit(0); }', '-xformat=pprof', '-o', 'no/such/file', status=1,
    stderr="dtrace: failed to open output file 'no/such/file': No such file or directory\n")
with open('stdout', 'wb') as file:
    subprocess.run([dtrace, '-xformat=pprof', '-qn', 'BEGIN { @[stack()] = count(); exit(0); }'], stdout=file, check=True)
expect('standard output', len(read('stdout', Profile).samples), 1)
PYTHON
/usr/bin/python3 -B check.py "$dtrace" "$here" "$triggers"
