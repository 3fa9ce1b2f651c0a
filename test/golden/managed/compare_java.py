# SPDX-License-Identifier: Apache-2.0
# compare_java.py OUT SAID [lines|outer]: the Java methods on the stacks in dtrace's output are those that the program has
# written itself; with lines, at the lines that it says; with outer, without those that were inlined.
import json
import re
import sys

# Without libc's debug file these functions have no names.
OUTERMOST = re.compile(r'.*`(_*clone3?|start_thread)(\+.*)?$|.*libc\.so\.6\+0x[0-9a-f]+$')
with_lines = len(sys.argv) > 3
only_outer = sys.argv[3:] == ['outer']
inlined = left_out = 0


def text(frame):
    """As getStackTrace() has it. The numbers of hidden classes are the virtual machine's own."""
    name = re.sub(r'/0x[0-9a-f]+', '', frame.get('symbol', ''))
    if not with_lines:
        return name
    # A native method has no line, which Java says by a negative one.
    source = frame.get('source', 'null')
    return f'{name}({source})' if ':' in source else f'{name}({source}:-2)'


stacks = []
for row in map(json.loads, open(sys.argv[1])):
    stacks += [item['value'] for item in row.get('data', ()) if isinstance(item.get('value'), list)]
said = [line.split() for line in open(sys.argv[2])]
wrong = 0
for stack, expected in zip(stacks, said):
    frames = [frame for frame in stack if frame.get('language') == 'java']
    inlined += sum(frame.get('inlined', False) for frame in frames)
    # The reflective and hidden frames that getStackTrace() leaves out.
    got = [text(frame) for frame in frames if not re.match(r'java\.io\.RandomAccessFile\.|.*\$\$Lambda', frame['symbol'])]
    want = [re.sub(r'/0x[0-9a-f]+', '', name) for name in expected]
    if only_outer:
        left_out += len(want) - len(got)
        rest = iter(want)
        want = got if all(name in rest for name in got) and got and got[-1] == want[-1] else want
    if got != want or not OUTERMOST.match(stack[-1].get('symbol', '')):
        wrong += 1
        if wrong < 3:
            print('got:', *(f"{frame.get('symbol', frame.get('cut'))} {frame.get('source', '')}" for frame in stack), sep='\n  ')
            print('want:', *want, sep='\n  ')
if len(stacks) != len(said) or len(said) < 40:
    print(f'{len(stacks)} stacks of {len(said)}')
    wrong += 1
result = f'{wrong} wrong' if wrong else 'stacks are as the program says'
print(result + (', some methods are inlined' if inlined else '') + (', inlined methods are left out' if left_out else ''))
