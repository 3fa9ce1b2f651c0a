#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: format heatmap has a column for each time that a histogram was shown, with the buckets that the text shows, whether
#   the program clears it or lets it grow; keys can be distinguished; what is no histogram is reported.
# SECTION: Output formats    @@timeout: 120    @@tags: userland
here=$(realpath "$(dirname "$0")") || exit 1
cd "$tmpdir" || exit 1
cat >check.py <<'PYTHON'
import json, os, re, sys

dtrace, here, triggers = sys.argv[1:]
sys.path.insert(0, here)
from flame_run import build_steps, trace


def expect(what, seen, wanted):
    if seen != wanted:
        print(f'{what}: {str(seen)[:900]}\n  not {str(wanted)[:900]}')


def view(path, name='@'):
    """The view, and its columns as {(key, least of the bucket): count}."""
    with open(path, encoding='utf-8') as file:
        data = json.loads(re.search(r'<script type="application/json" id="run">(.*?)</script', file.read(), re.S).group(1))
    found = next(one for one in data['views'] if one['name'] == name)
    columns = []
    for column in found['columns']:
        cells = zip(column[::3], column[1::3], column[2::3])
        columns.append({(found['keys'][key], found['buckets'][bucket][0]): count for key, bucket, count in cells})
    if sorted(found['times']) != found['times'] or len(found['times']) != len(columns) + 1:
        print('times', found['times'])
    return found, columns


paths = ['-c', f'{triggers}/paths']
outputs = ['-o', 'out.json:json', '-o', 'out.html:heatmap']
each = 'syscall::write:return /pid == $target/'  # arg1: 10 three times, then 0, 1, 2, 3, 4

steps = build_steps('.')
writes = 'syscall::write:return /pid == $target/'
for way in ('', ' clear(@);', ' trunc(@);'):
    print(f'== shown twice{way}')
    trace(dtrace, '-w', '-n', f'''{writes} {{ @[execname] = quantize(arg1); n++; }}
        syscall::write:return /pid == $target && n == 4/ {{ printa(@);{way} system("touch go"); }} END {{ printa(@); }}''', *outputs, '-c', steps)
    os.remove('go')
    found, columns = view('out.html')
    expect('columns', columns, [{('sh', 8): 4}, {('sh', 1): 1, ('sh', 2): 2, ('sh', 4): 1}])
    expect('keys', (found['key_names'], found['function'], found['buckets']),
           (['execname'], 'quantize', [[1, 1], [2, 3], [4, 7], [8, 15]]))

print('== lquantize and llquantize, by keys, never printed')
trace(dtrace, '-n', f'{each} {{ @l[arg1 & 1, execname] = lquantize(arg1, 1, 4, 1); @g = llquantize(arg1, 2, 0, 4, 2); @n = count(); }}',
      *outputs, *paths, stderr=r'dtrace: format heatmap shows quantize\(\), lquantize\(\) and llquantize\(\); left out: @n \(no histogram\)\n')
found, columns = view('out.html', '@l')
expect('lquantize', columns, [{('0, paths', None): 1, ('0, paths', 2): 1, ('0, paths', 4): 4, ('1, paths', 1): 1, ('1, paths', 3): 1}])
expect('no bound', (found['buckets'][0], found['buckets'][-1]), ([None, 0], [4, None]))
found, columns = view('out.html', '@g')
expect('without keys', (found['keys'], sum(columns[0].values())), ([''], 8))

print('== as the text of ticks shows it')
trace(dtrace, '-n', f'''{each} {{ @[probefunc] = quantize(arg1); }} tick-10ms {{ printa("tick%@d\\n", @); clear(@); }}
  tick-10ms /++n == 5/ {{ exit(0); }}''', '-o', 'out.text:text', *outputs, '-c', '/bin/sleep 100')
found, columns = view('out.html')
expect('a column for each', len(columns), 5)
steps = [later - before for before, later in zip(found['times'], found['times'][1:])]
expect('of some time', all(0 < step < 30e9 for step in steps), True)
PYTHON
/usr/bin/python3 -B check.py "$dtrace" "$here" "$triggers"
