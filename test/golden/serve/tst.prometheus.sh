#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: Prometheus scrapes two dtraces in network namespaces of their own, and its sums over both are the merge of what they
#   print, for every aggregating function that can be merged.
# SECTION: Metrics    @@timeout: 120    @@tags: long userland software
here=$(pwd)
cd "$tmpdir" || exit 1
cat >check.py <<'PYTHON'
import os, sys, time, urllib.error, urllib.parse, urllib.request
sys.path.insert(0, sys.argv[2])
from served import *

dtrace = sys.argv[1]
HOSTS = ['host-a', 'host-b']
BRIDGE = 'bridge'


def ip(*words):
    subprocess.run(['ip', *words], check=True)


def updates(first, last):
    values = [i * i * 37 % 1001 - 400 for i in range(first, last)]
    return ' '.join(f'@c[{v % 3}] = count(); @s = sum({v}); @u = sum((uint64_t){abs(v)}); @low = min({v}); @high = max({v}); @a = avg({v}); @d = stddev({v}); '
                    f'@q["x"] = quantize({v}); @q["y"] = quantize({v * v}); @l = lquantize({v}, -100, 300, 50); @ll = llquantize({v * v}, 10, 1, 5, 20);' for v in values)


def query(url, text):
    with urllib.request.urlopen(f'{url}/api/v1/query?' + urllib.parse.urlencode({'query': text}), timeout=30) as answer:
        return json.load(answer)['data']['result']


served, prometheus = [], None
try:
    ip('link', 'set', 'lo', 'up')
    ip('link', 'add', BRIDGE, 'type', 'bridge')
    ip('addr', 'add', '10.203.113.1/24', 'dev', BRIDGE)
    ip('link', 'set', BRIDGE, 'up')
    for number, host in enumerate(HOSTS):
        ip('netns', 'add', host)
        ip('link', 'add', f'{host}v', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', host)
        ip('link', 'set', f'{host}v', 'master', BRIDGE, 'up')
        ip('-n', host, 'addr', 'add', f'10.203.113.{number + 10}/24', 'dev', 'eth0')
        ip('-n', host, 'link', 'set', 'eth0', 'up')
    for number, host in enumerate(HOSTS):
        served.append(Served(dtrace, 'BEGIN { %s trace(1); }' % updates(number * 20, number * 20 + 20),
                             address=f'10.203.113.{number + 10}:0', prefix=('nsenter', f'--net=/run/netns/{host}')))
        served[-1].began.wait(60)
    with open('prometheus.yml', 'w') as file:
        file.write('global: {scrape_interval: 1s, scrape_timeout: 1s}\nscrape_configs:\n- job_name: dtrace\n  static_configs:\n  - targets: %s\n'
                   % json.dumps([one.address for one in served]))
    checked = subprocess.run(['promtool', 'check', 'config', 'prometheus.yml'], capture_output=True, text=True)
    expect('config', checked.returncode, 0)
    prometheus = subprocess.Popen(['prometheus', '--config.file=prometheus.yml', '--storage.tsdb.path=data', '--web.listen-address=127.0.0.1:0'],
                                  stderr=subprocess.PIPE, text=True)
    for line in prometheus.stderr:
        if found := re.search(r'msg="?Listening on.*address=(\S+)', line) or re.search(r'component=web.*address=(127\.0\.0\.1:[1-9]\d*)', line):
            url = 'http://' + found.group(1)
            break
    threading.Thread(target=prometheus.stderr.read).start()
    def hosts():
        try:
            return len(query(url, 'dtrace_build_info'))
        except urllib.error.HTTPError:  # it is not ready
            return 0

    while hosts() < 2:
        time.sleep(0.2)  # it scrapes every second

    def sums(text):
        return {tuple(sorted(row['metric'].items())): float(row['value'][1]) for row in query(url, text)}

    def number(text):
        return sums(text).get((), None)

    histograms = {name: sums(f'sum by (le, n1, x) ({{__name__="dtrace_{name}_bucket"}})') for name in ('l', 'll')}
    histograms['q'] = sums('sum by (le, x) (label_replace(dtrace_q_bucket, "x", "$1", "x", "(.*)"))')
    seen = {'s': number('sum(dtrace_s)'), 'u': number('sum(dtrace_u_total)'), 'low': number('min(dtrace_low)'), 'high': number('max(dtrace_high)'),
            'a': [number('sum(dtrace_a_count)'), number('sum(dtrace_a_sum)')],
            'd': [number('sum(dtrace_d_count)'), number('sum(dtrace_d_sum)'), number('sum(dtrace_d_sumsq)')]}
    seen['c'] = sums('sum without (instance, job) (dtrace_c_total)')
    for number_of, one in enumerate(served):
        one.stop()
        expect('messages', one.messages, [])
        with open(f'{number_of}.json', 'w') as file:
            file.writelines(json.dumps(line) + '\n' for line in one.lines)
finally:
    if prometheus:
        prometheus.terminate()
        prometheus.wait(60)
    for one in served:
        if one.ran.poll() is None:
            one.stop()

merged = subprocess.run([dtrace, '--merge', '-xformat=json', '0.json', '1.json'], capture_output=True, text=True)
of = aggregations([json.loads(line) for line in merged.stdout.splitlines()])
words = {name: line['entries'][0]['words'] for name, line in of.items()}


def signed(word):
    return word - 2 ** 64 if word >= 2 ** 63 else word


expect('s', seen['s'], signed(words['s'][0]))
expect('u', seen['u'], words['u'][0])
expect('low', seen['low'], signed(words['low'][0]))
expect('high', seen['high'], signed(words['high'][0]))
expect('a', seen['a'], [words['a'][0], signed(words['a'][1])])
expect('d', seen['d'], [words['d'][0], signed(words['d'][1]), words['d'][2]])
expect('c', sorted(seen['c'].values()), sorted(entry['words'][0] for entry in of['c']['entries']))
for name in ('q', 'l', 'll'):
    for entry in of[name]['entries']:
        whole = sum(count for _, count in bucket_bounds(entry))
        shown = {dict(key)['le']: value for key, value in histograms[name].items() if name != 'q' or dict(key).get('x') == entry['keys'][0]}
        expect(name, shown['+Inf'], whole)
        for le, value in shown.items():
            if le != '+Inf':
                expect(f'{name} {le}', value, sum(n for greatest, n in bucket_bounds(entry) if greatest is not None and greatest <= float(le)))
print('done')
PYTHON
# All that is made of a network lies in these namespaces, and is gone with them, however this ends.
exec unshare --net --mount --propagation private \
  sh -c 'mkdir -p /run/netns && mount -t tmpfs tmpfs /run/netns && exec "$@"' sh python3 check.py "$1" "$here"
