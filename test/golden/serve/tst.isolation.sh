#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: dtrace-exporter has nothing of the tracer's or its starter's: no descriptors, environment, folder or terminal; it is
#   nobody, has no capabilities, and few system calls are left to it. A low limit of descriptors does not end it. If it cannot become nobody,
#   tracing does not begin.
# SECTION: Metrics    @@timeout: 120    @@tags: userland
here=$(pwd)
cd "$tmpdir" || exit 1
cat >check.py <<'PYTHON'
import os, re, resource, sys, time
sys.path.insert(0, sys.argv[2])
from served import *

dtrace = sys.argv[1]


def file_of(pid, name):
    with open(f'/proc/{pid}/{name}', 'rb') as file:
        return file.read().decode()


def kinds_of(pid):
    kinds = {}
    for fd in os.listdir(f'/proc/{pid}/fd'):
        try:
            kinds[fd] = os.readlink(f'/proc/{pid}/fd/{fd}').split(':')[0]
        except FileNotFoundError:  # closed meanwhile
            pass
    return kinds


def check(pid):
    # The exporter closes an answer's descriptors soon after it.
    for _ in range(100):
        kinds = kinds_of(pid)
        if len(kinds) <= 6:
            break
        time.sleep(0.1)
    expect('streams', [kinds.pop(fd) for fd in '012'], ['/dev/null'] * 3)
    expect('descriptors', sorted(kinds.items()), [('3', 'socket'), ('4', 'socket'), ('5', 'anon_inode')])
    kept = [row for row in file_of(pid, 'environ').split('\0') if row and not re.match('(A|L|UB)SAN_OPTIONS=', row)]
    expect('environment', kept, ['SSL_CERT_DIR=/etc/ssl/certs'])
    expect('folder', os.readlink(f'/proc/{pid}/cwd'), '/')
    status = dict(line.split(':', 1) for line in file_of(pid, 'status').splitlines())
    state = {name: status[name].split() for name in ('Uid', 'Gid', 'Groups', 'NoNewPrivs', 'Seccomp')}
    expect('state', state, {'Uid': ['65534'] * 4, 'Gid': ['65534'] * 4, 'Groups': [], 'NoNewPrivs': ['1'], 'Seccomp': ['2']})
    expect('capabilities', {status['Cap' + name].strip() for name in ('Inh', 'Prm', 'Eff', 'Bnd', 'Amb')}, {'0' * 16})
    expect('signals', status['SigBlk'].strip(), '0' * 16)
    expect('session', file_of(pid, 'stat').rsplit(')', 1)[1].split()[3:5], [str(pid), '0'])  # of its own, without a terminal


# A descriptor that is not closed by exec, and a high one.
shadow = os.open('/etc/shadow', os.O_RDONLY)
os.dup2(shadow, 9)
os.dup2(shadow, 200)
for name in ('SSL_CERT_FILE', 'http_proxy', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY', 'no_proxy', 'NO_PROXY'):
    os.environ.pop(name, None)  # they are kept
os.environ.update({'SECRET': 'x', 'SSL_CERT_DIR': '/etc/ssl/certs', 'LD_DEBUG_OUTPUT': '/tmp/x'})
inherited = {'close_fds': False}
served = Served(dtrace, 'BEGIN { trace(1); @ = count(); }', **inherited)
served.began.wait(60)
pid = served.exporter()
served.text()
check(pid)
os.kill(pid, signal.SIGKILL)  # the next one is started in the middle of tracing
served.text()
next_pid = served.exporter()
expect('another one', next_pid != pid, True)
check(next_pid)
served.stop()

# With a low limit, and without the right to raise it.
resource.setrlimit(resource.RLIMIT_NOFILE, (512, 512))
served = Served(dtrace, 'BEGIN { trace(1); @ = count(); }', prefix=('setpriv', '--bounding-set', '-sys_resource'))
served.began.wait(60)
expect('served with a low limit', 'dtrace_aggregation_total 1' in served.text(), True)
with open(f'/proc/{served.exporter()}/limits') as limits:
    expect('limit', [line.split()[3:5] for line in limits if line.startswith('Max open files')], [['512', '512']])
served.stop()
expect('messages', served.messages, [])

for missing in ('setuid', 'setgid'):
    ran = subprocess.run(['setpriv', '--bounding-set', '-' + missing, dtrace, '--serve', '0', '-qn', 'BEGIN { trace(1); exit(0); }'], capture_output=True, text=True)
    expect('without ' + missing, (ran.returncode, ran.stdout, ran.stderr),
           (1, '', 'dtrace: dtrace-exporter: cannot become user nobody (needs CAP_SETUID and CAP_SETGID): Operation not permitted\n'))
print('done')
PYTHON
exec python3 check.py "$1" "$here"
