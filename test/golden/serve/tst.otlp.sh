#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: --otlp pushes every aggregating function to a collector; it tries again when the collector refuses or is not there, counts
#   that, and pushes the last values when tracing ends; if it cannot, the exit status is 1. A URL that is none is an error before tracing begins.
# SECTION: Metrics    @@timeout: 120    @@tags: userland
here=$(pwd)
cd "$tmpdir" || exit 1
cat >check.py <<'PYTHON'
import os, sys
sys.path.insert(0, sys.argv[2])
from served import *
from collector import Collector

dtrace = sys.argv[1]
collector = Collector()
url = f'http://127.0.0.1:{collector.port}'
program = r'''BEGIN { @reads[execname] = count(); @delta = sum(-5); @bytes = sum((uint64_t)7); @low = min(-9); @mean = avg(-4);
  @spread = stddev(1000000); @spread = stddev(-7); @sizes[1] = quantize(5); @sizes[1] = quantize(-1); @linear = lquantize(9, 0, 30, 10);
  @log = llquantize(99, 10, 0, 3, 10); exit(0); }'''
collector.statuses.append(503)
ran = subprocess.run([dtrace, '-xformat=json', '--otlp', url, '-qn', program], capture_output=True, text=True)
printed = aggregations([json.loads(line) for line in ran.stdout.splitlines()])
# The first refusal and that it went on are messages.
expect('messages', [line.split(url)[0] for line in ran.stderr.splitlines()], ['dtrace: cannot push metrics to ', 'dtrace: metrics are pushed to '])
expect('pushes', len(collector.pushes), 1)
pushes = collector.pushes
expect('requests', collector.requests, {('/v1/metrics', 'application/json')})
resource = pushes[0]['resourceMetrics'][0]
attributes = {one['key']: one['value']['stringValue'] for one in resource['resource']['attributes']}
expect('resource', attributes, {'host.name': os.uname().nodename, 'service.name': 'dtrace'})
metrics = {metric['name']: metric for metric in resource['scopeMetrics'][0]['metrics']}


def point(name, kind, **more):
    body = metrics['dtrace.' + name][kind]
    expect(name, {key: body.get(key) for key in more}, more)
    return body['dataPoints'][0]


def whole(name, kind, **more):
    return int(point(name, kind, **more)['asInt'])


word = {name: line['entries'][0]['words'] for name, line in printed.items()}
expect('reads', whole('reads', 'sum', isMonotonic=True, aggregationTemporality=2), 1)
expect('label', point('reads', 'sum')['attributes'][0]['key'], 'execname')
expect('delta', whole('delta', 'sum', isMonotonic=False), -5)
expect('bytes', whole('bytes', 'sum', isMonotonic=True), 7)
expect('low', whole('low', 'gauge'), -9)
expect('mean', (whole('mean_sum', 'sum'), whole('mean_count', 'sum')), (-4, 1))
expect('spread', (whole('spread_sum', 'sum'), whole('spread_count', 'sum'), whole('spread_sumsq', 'gauge')), (999993, 2, 10 ** 12 + 49))
for name in ('sizes', 'linear', 'log'):
    histogram = point(name, 'histogram', aggregationTemporality=2)
    bounds, counts = histogram['explicitBounds'], [int(count) for count in histogram['bucketCounts']]
    expect(f'{name}: buckets', len(counts), len(bounds) + 1)
    expect(f'{name}: count', int(histogram['count']), sum(counts))
    shown = {bound: count for bound, count in zip(bounds + [None], counts) if count}
    expect(name, shown, {greatest: count for greatest, count in bucket_bounds(printed[name]['entries'][0])})
start, now = (int(point('reads', 'sum')[name]) for name in ('startTimeUnixNano', 'timeUnixNano'))
expect('times', 0 < start <= now < start + 3600 * 10 ** 9, True)

collector.stop()
ran = subprocess.run([dtrace, '--otlp', url, '-qn', 'BEGIN { @ = count(); exit(3); }'], capture_output=True, text=True)
# What exit() says does not hide that values were not pushed.
expect('no collector', (ran.returncode, ran.stdout, 'the last values were not pushed' in ran.stderr), (1, '\n                1\n', True))
for bad in ('x', 'ftp://x', 'http://', 'http:///x', 'http://a b'):
    ran = subprocess.run([dtrace, '--otlp', bad, '-n', 'BEGIN { exit(0); }'], capture_output=True, text=True)
    expect(bad, (ran.returncode, 'write a URL' in ran.stderr), (1, True))
print('done')
PYTHON
exec python3 check.py "$1" "$here"
