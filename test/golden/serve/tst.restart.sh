#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: an exporter that has ended is started again, at the same port, and leaves no zombie; each time is a message. After some
#   times tracing goes on without it, clients are refused, and the exit status is 1. The last values are pushed by a new one.
# SECTION: Metrics    @@timeout: 120    @@tags: userland
here=$(pwd)
cd "$tmpdir" || exit 1
cat >check.py <<'PYTHON'
import os, sys, time
sys.path.insert(0, sys.argv[2])
from served import *
from collector import Collector

dtrace = sys.argv[1]
AGAIN = 'dtrace: dtrace-exporter was ended by signal 9 (Killed): starting it again'


def zombies(of):
    states = subprocess.run(['ps', '--ppid', str(of.ran.pid), '-o', 'stat='], capture_output=True, text=True).stdout
    return [state for state in states.split() if state.startswith('Z')]


def kill_exporter(of):
    """Ends the exporter; until its end was a message, and it was waited for before."""
    count = len(of.messages)
    os.kill(of.exporter(), signal.SIGKILL)
    while len(of.messages) == count:
        time.sleep(0.01)
    expect('zombies', zombies(of), [])


served = Served(dtrace, 'BEGIN { trace(1); @ = count(); } tick-10ms { @ticks = count(); }')
served.began.wait(60)
address = served.address
for number in range(1, 7):
    kill_exporter(served)
    expect('served again, there', 'dtrace_aggregation_total 1' in served.text(), True)  # connections wait for the new one
    expect('message', served.messages[-1], f'{AGAIN} ({number} of 6)')
kill_exporter(served)
expect('the last message', served.messages[-1],
       'dtrace: metrics are not exported any more: dtrace-exporter was ended by signal 9 (Killed), and was started again 6 times')
try:
    served.text()
    print('it is served still')
except ConnectionRefusedError:
    pass
printed = served.stop()
expect('tracing went on', printed['_']['entries'][0]['words'], [1])
expect('exit status', served.ran.returncode, 1)
expect('status in the output', [line['status'] for line in served.lines if line['type'] == 'end'], [1])

# One that pushes too: what it did not push, the next one pushes.
collector = Collector()
served = Served(dtrace, 'BEGIN { trace(1); @ = count(); }', '--otlp', f'http://127.0.0.1:{collector.port}', '-xotlprate=1h')
served.began.wait(60)
kill_exporter(served)
served.stop()
expect('exit status with one restart', (served.ran.returncode, served.messages), (0, [f'{AGAIN} (1 of 6)']))
metrics = collector.pushes[-1]['resourceMetrics'][0]['scopeMetrics'][0]['metrics']
expect('last push', [metric['sum']['dataPoints'][0]['asInt'] for metric in metrics if metric['name'] == 'dtrace.aggregation'], ['1'])
print('done')
PYTHON
exec python3 check.py "$1" "$here"
