#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: behind its filter of system calls the exporter looks up names and pushes by HTTPS; SSL_CERT_FILE names the certificates that it
#   trusts. A server that is not trusted gets nothing.
# SECTION: Metrics    @@timeout: 120    @@tags: userland
here=$(pwd)
cd "$tmpdir" || exit 1
cat >check.py <<'PYTHON'
import os, sys
sys.path.insert(0, sys.argv[2])
from served import *
from collector import *

HOST = 'collector.test'
subprocess.run(['ip', 'link', 'set', 'lo', 'up'], check=True)
with open('resolv.conf', 'w') as file:
    file.write('nameserver 127.0.0.1\n')
with open('nsswitch.conf', 'w') as file:
    file.write('hosts: files dns\n')
for name in ('resolv.conf', 'nsswitch.conf'):
    subprocess.run(['mount', '--bind', name, '/etc/' + name], check=True)
names = Names(HOST)
# Where nobody, who is the exporter, can read them.
subprocess.run(['mount', '-t', 'tmpfs', '-o', 'mode=755', 'tmpfs', '/mnt'], check=True)
make_certificate('/mnt/certificate', HOST)


for name in ('http_proxy', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY', 'SSL_CERT_FILE', 'SSL_CERT_DIR'):
    os.environ.pop(name, None)


def push(collector, scheme, **environment):
    url = f'{scheme}://{HOST}:{collector.port}'
    return subprocess.run([sys.argv[1], '--otlp', url, '-qn', 'BEGIN { @reads = count(); exit(0); }'], capture_output=True, text=True,
                          env={**os.environ, **environment})


plain = Collector()
ran = push(plain, 'http')
expect('plain', (ran.returncode, ran.stderr, len(plain.pushes)), (0, '', 1))
expect('asked', HOST in names.asked, True)
secret = Collector('/mnt/certificate')
ran = push(secret, 'https')
expect('not trusted', (ran.returncode, 'certificate' in ran.stderr, len(secret.pushes)), (1, True, 0))
ran = push(secret, 'https', SSL_CERT_FILE='/mnt/certificate.crt')
expect('trusted', (ran.returncode, ran.stderr, len(secret.pushes)), (0, '', 1))
print('done')
PYTHON
exec unshare --net --mount --propagation private python3 check.py "$1" "$here"
