#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: where there is no room for a function's name the stack says so and the ledger counts it; the other frames have the
# names that the program says.
$dtrace $dt_flags -q -x unwindsize=1m -x format=json \
  -n 'syscall::sched_yield:entry /pid == $target/ { ustack(100); }' \
  -c "/usr/bin/python3 -B report.py $tmpdir/said 2000" >"$tmpdir/rows"
python3 -B - "$tmpdir" <<'END'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1] + '/rows')]
names = {frame for line in open(sys.argv[1] + '/said') for frame in line.rstrip('\n').split('|')}
missed = 0
for row in rows:
    if row['type'] != 'row': continue
    frames = [frame for item in row['data'] for frame in item['value'] if 'language' in frame]
    missed += any(frame['language'] == 'managed' for frame in frames)
    for frame in frames:
        if frame['language'] == 'python' and f"{frame['symbol']} {frame['source']}" not in names \
                and frame['source'].startswith('made'): print('wrong:', frame)
lost = sum(loss['count'] for row in rows if row['type'] == 'end' for loss in row['losses'] if loss['tag'] == 'STACKNAME')
print('some have no names' if missed else 'all have names', 'all are counted' if missed == lost else f'{missed} but {lost}', sep=', ')
END
