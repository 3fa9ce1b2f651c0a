#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: --serve shows every aggregating function in both text formats with the numbers that the program prints at its end;
#   the formats' own parsers find nothing wrong with them.
# SECTION: Metrics    @@timeout: 120    @@tags: userland
here=$(pwd)
cd "$tmpdir" || exit 1
cat >check.py <<'PYTHON'
import os, shutil, subprocess, sys
sys.path.insert(0, sys.argv[2])
from served import *

program = r'''BEGIN {
  @reads[execname, 3] = count(); @reads["a\"b\\", 4] = count(); @ = count();
  @bytes = sum((unsigned int)7); @delta = sum(-5); @delta = sum(2);
  @low["x"] = min(-9); @low["x"] = min(4); @high = max((uint64_t)12);
  @mean = avg((unsigned char)10); @mean = avg((unsigned char)5); @signed_mean = avg(-4);
  @spread = stddev(-7); @spread = stddev(1000000); @spread = stddev(3);
  @sizes[1] = quantize(0); @sizes[1] = quantize(1); @sizes[1] = quantize(4); @sizes[1] = quantize(7); @sizes[1] = quantize(8, 3);
  @sizes[2] = quantize(-5); @sizes[2] = quantize(0x7fffffffffffffff);
  @linear = lquantize(-1, 0, 30, 10); @linear = lquantize(9, 0, 30, 10); @linear = lquantize(10, 0, 30, 10); @linear = lquantize(99, 0, 30, 10);
  @log = llquantize(5, 10, 0, 3, 10); @log = llquantize(99, 10, 0, 3, 10); @log = llquantize(100, 10, 0, 3, 10); @log = llquantize(1000000, 10, 0, 3, 10);
  @gone = max(1); clear(@gone);
  @stacks[stack()] = count(); @translated[curpsinfo->pr_fname, fds[0].fi_fs] = count();
  trace(1); }'''
served = Served(sys.argv[1], program)
served.began.wait(60)
kinds = {'text/plain': 'text/plain; version=0.0.4; charset=utf-8',
         'application/openmetrics-text;version=1.0.0,text/plain;q=0.5': 'application/openmetrics-text; version=1.0.0; charset=utf-8'}
texts = {}
for accept, kind in kinds.items():
    status, seen, body = served.get(accept)
    expect('kind', (status, seen), (200, kind))
    texts[kind.split(';')[0]] = body.decode()
plain, openm = texts['text/plain'], texts['application/openmetrics-text']
expect('end of OpenMetrics', openm.endswith('\n# EOF\n'), True)
expect('other path', served.get(path='/x')[0], 404)
expect('other method', served.get(method='POST')[0], 405)
printed = served.stop()
expect('messages', served.messages, [])


def histogram(of, name, labels, entry, bound):
    """Each bucket that the text shows has the count of values up to its bound, and the last has all."""
    shown = {dict(key[1])['le']: int(value) for key, value in of.items()
             if key[0] == name + '_bucket' and set(labels) <= set(key[1]) and len(key[1]) == len(labels) + 1}
    whole = sum(count for _, count in bucket_bounds(entry))
    expect(name, shown.pop('+Inf'), whole)
    for greatest, _ in bucket_bounds(entry):
        if greatest not in (None, 2 ** 63 - 1):
            expect(f'{name} has {greatest}', bound(greatest) in shown, True)
    for text, count in shown.items():
        expect(f'{name} {text}', count, sum(n for greatest, n in bucket_bounds(entry) if greatest is not None and greatest <= int(float(text)) and (abs(greatest) < 2 ** 53 or greatest != 2 ** 63 - 1)))
    return len(shown)


comm = [key for key in printed['reads']['entries'] if key['keys'][1] == 3][0]['keys'][0]
for what, of in (('plain', samples(plain)), ('open', samples(openm))):
    def number(name, **labels):
        return of.get((name, tuple(sorted(labels.items()))))
    value = {name: line['entries'][0]['words'] for name, line in printed.items() if line['entries']}
    expect('reads', number('dtrace_reads_total', execname=comm, key2='3') or number('dtrace_reads_total', execname=comm, n3='3'), '1')
    expect('escaped', number('dtrace_reads_total', execname='a"b\\', n3='4'), '1')
    expect('members of translators have the names that the program gives them',
           number('dtrace_translated_total', curpsinfo_pr_fname=comm, fds_0_fi_fs=printed['translated']['entries'][0]['keys'][1]), '1')
    expect('unnamed', number('dtrace_aggregation_total'), str(value['_'][0]))
    expect('bytes', number('dtrace_bytes_total'), '7')
    expect('delta', number('dtrace_delta'), '-3')
    expect('low', number('dtrace_low', x='x'), '-9')
    expect('high', number('dtrace_high'), '12')
    expect('mean', (number('dtrace_mean_sum'), number('dtrace_mean_count')), ('15', '2'))
    expect('signed mean', (number('dtrace_signed_mean_sum'), number('dtrace_signed_mean_count')), ('-4', '1'))
    expect('spread', (number('dtrace_spread_sum'), number('dtrace_spread_count'), number('dtrace_spread_sumsq')),
           (str(1000000 - 4), '3', str(49 + 10 ** 12 + 9)))
    expect('gone', number('dtrace_gone'), None)
    expect('stacks', number('dtrace_left_out_keys', aggregation='@stacks', reason='stack'), '1')
    bound = str if what == 'plain' else lambda greatest: f'{greatest}.0'
    for entry in printed['sizes']['entries']:
        expect('bounds of quantize', histogram(of, 'dtrace_sizes', [('n1', str(entry['keys'][0]))], entry, bound) >= 63, True)
    expect('bounds of lquantize', histogram(of, 'dtrace_linear', [], printed['linear']['entries'][0], bound), 4)
    histogram(of, 'dtrace_log', [], printed['log']['entries'][0], bound)
    lost = {key: value for key, value in of.items() if key[0] == 'dtrace_lost_total'}
    expect('lost', (len(lost) > 20, set(lost.values())), (True, {'0'}))
    expect('cost', float(number('dtrace_cpu_seconds_total')) > 0 and int(number('dtrace_resident_memory_bytes')) > 2 ** 20, True)
    expect('version', [value for key, value in of.items() if key[0] == 'dtrace_build_info'], ['1'])

if shutil.which('promtool'):
    checked = subprocess.run(['promtool', 'check', 'metrics'], input=plain, capture_output=True, text=True)
    expect('promtool', (checked.returncode, checked.stdout + checked.stderr), (0, ''))
try:
    sys.path.append('/usr/lib/python3/dist-packages')
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
    families = {family.name: family.type for family in text_string_to_metric_families(openm)}
    expect('types', [families['dtrace_' + name] for name in ('reads', 'delta', 'mean', 'signed_mean_sum', 'sizes')],
           ['counter', 'gauge', 'summary', 'unknown', 'histogram'])
except ImportError:
    pass
print('done')
PYTHON
exec python3 check.py "$1" "$here"
