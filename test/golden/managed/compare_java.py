# SPDX-License-Identifier: Apache-2.0
# compare_java.py OUT SAID: the Java methods on the stacks in dtrace's output are those that the program has written itself.
import json
import re
import sys

OUTERMOST = re.compile(r'.*`(_*clone3?|start_thread)(\+.*)?$')
stacks = []
for row in map(json.loads, open(sys.argv[1])):
    stacks += [item['value'] for item in row.get('data', ()) if isinstance(item.get('value'), list)]
said = [line.split() for line in open(sys.argv[2])]
wrong = 0
for stack, expected in zip(stacks, said):
    names = [frame.get('symbol', '') for frame in stack if frame.get('language') == 'java']
    # The numbers of hidden classes are the virtual machine's own.
    got = [re.sub(r'/0x[0-9a-f]+', '', name) for name in names if not re.match(r'java\.io\.RandomAccessFile\.', name)]
    want = [re.sub(r'/0x[0-9a-f]+', '', name) for name in expected]
    # The reflective and hidden frames that getStackTrace() leaves out.
    if [name for name in got if '$$Lambda' not in name] != want or not OUTERMOST.match(stack[-1].get('symbol', '')):
        wrong += 1
        if wrong < 3:
            print('got:', *(frame.get('symbol', frame.get('cut')) for frame in stack), sep='\n  ')
            print('want:', *want, sep='\n  ')
if len(stacks) != len(said) or len(said) < 40:
    print(f'{len(stacks)} stacks of {len(said)}')
    wrong += 1
print(f'{wrong} wrong' if wrong else 'stacks are as the program says')
