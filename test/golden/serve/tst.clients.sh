#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: slow, broken and many clients are survived: others are served meanwhile, and tracing goes on. The process that reads the socket
#   has no capabilities. Other methods, paths and host names are refused by their status. A port that is taken, and a text that is no address,
#   are errors before tracing begins.
# SECTION: Metrics    @@timeout: 120    @@tags: userland
here=$(pwd)
cd "$tmpdir" || exit 1
cat >check.py <<'PYTHON'
import os, socket, sys, time
sys.path.insert(0, sys.argv[2])
from served import *

served = Served(sys.argv[1], 'BEGIN { trace(1); } tick-100ms { @ticks = count(); }', '-xservehost=given.example')
served.began.wait(60)
host, port = served.address.split(':')
expect('address', host, '127.0.0.1')


def ticks():
    return int(samples(served.text()).get(('dtrace_ticks_total', ()), 0))


def connect():
    return socket.create_connection((host, int(port)), timeout=60)


def answer(sent):
    with connect() as client:
        try:
            client.sendall(sent)
            return client.recv(64).split(b'\r\n')[0]
        except ConnectionError:
            return b''


def request(path=b'/metrics', method=b'GET', host=b'localhost', more=b'', body=b''):
    """The status of a request."""
    named = b'Host: ' + host + b'\r\n' if host is not None else b''
    return int(answer(method + b' ' + path + b' HTTP/1.1\r\n' + named + more + b'\r\n' + body).split()[1])


status = dict(line.split(':\t', 1) for line in open(f'/proc/{served.exporter()}/status') if ':\t' in line)
expect('capabilities', {status[name].strip() for name in ('CapEff', 'CapPrm', 'CapInh', 'CapAmb')}, {'0' * 16})
expect('no new privileges', status['NoNewPrivs'].strip(), '1')

before = ticks()
slow = [connect() for _ in range(140)]  # so many that they are not waited for
for client in slow:
    client.sendall(b'GET /metrics HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
expect('beside slow clients', ticks() >= before, True)
expect('a head without end', answer(b'GET /metrics HTTP/1.1\r\n' + b'X-Long: ' + b'a' * 200000) in
       (b'', b'HTTP/1.1 431 Request Header Fields Too Large', b'HTTP/1.1 413 Content Too Large', b'HTTP/1.1 414 URI Too Long'), True)
expect('garbage', answer(b'\x00\xff\x16\x03\x01 nothing of the kind\r\n\r\n') in (b'', b'HTTP/1.1 400 Bad Request', b'HTTP/1.0 400 Bad Request'), True)
expect('a long body', answer(b'GET /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n\r\n' + b'a' * 1000)[:12] in (b'', b'HTTP/1.1 413'), True)
expect('a body', request(more=b'Content-Length: 3\r\n', body=b'abc'), 200)
with connect() as client:  # its half is closed: the answer comes all the same
    client.sendall(b'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n')
    client.shutdown(socket.SHUT_WR)
    expect('half closed', client.recv(15), b'HTTP/1.1 200 OK')
for _ in range(50):  # gone before the answer
    with connect() as client:
        client.sendall(b'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n')
expect('methods', [answer(method + b' /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n')[9:12] for method in (b'PUT', b'DELETE', b'HEAD')],
       [b'405', b'405', b'200'])
for what, more, body in (('no body', b'', b''), ('a body', b'Content-Length: 5\r\n', b'abcde'), ('a larger body', b'Content-Length: 300000\r\n', b'a' * 300000),
                         ('chunks', b'Transfer-Encoding: chunked\r\n', b'5\r\nabcde\r\n0\r\n\r\n')):
    expect(f'POST with {what}', request(method=b'POST', more=more, body=body), 405)
connection = served.connection()
connection.request('POST', '/metrics', b'abc')
expect('methods that are left', connection.getresponse().getheader('Allow'), 'GET, HEAD')
for path in (b'/metrics\0', b'/metrics\0x', b'/metrics%00', b'/metrics%2500', b'/metrics/', b'//metrics'):
    expect(f'path {path}', request(path) in (400, 404), True)
expect('a query', request(b'/metrics?name[]=x'), 200)
own = os.uname().nodename.encode()
for name in (b'localhost', b'LOCALHOST:1', b'127.0.0.1', b'192.0.2.1:9100', b'[::1]:9100', own, own + b':80', b'given.example'):
    expect(f'host {name}', request(host=name), 200)
expect('no host', answer(b'GET /metrics HTTP/1.0\r\n\r\n')[9:12], b'200')
for name in (b'evil.example', b'evil.example:' + port.encode(), b'localhost.evil.example', b'given.example.evil.example', b'127.0.0.1.evil.example', b''):
    expect(f'host {name}', request(host=name), 421)
expect('two hosts', request(more=b'Host: evil.example\r\n'), 421)
now = ticks()
while ticks() <= now:  # tracing goes on
    pass
many = [served.connection() for _ in range(40)]
for connection in many:
    connection.request('GET', '/metrics')
expect('many at once', {connection.getresponse().status for connection in many}, {200})
for client in slow:  # ended after a second, and not by us
    try:
        expect('slow clients are ended', client.recv(1), b'')
    except ConnectionError:
        pass

for address, text in ((f'{host}:{port}', 'cannot listen: Address already in use'), ('x:y', 'write [ADDRESS:]PORT'), ('70000', 'write [ADDRESS:]PORT'),
                      ('::1:9100', 'write [ADDRESS:]PORT')):
    other = subprocess.run([sys.argv[1], '--serve', address, '-n', 'BEGIN { trace(1); exit(0); }'], capture_output=True, text=True)
    expect(address, (other.returncode, other.stdout, text in other.stderr), (1, '', True))
served.stop()
expect('messages', served.messages, ['dtrace: refused a request for the host evil.example: --serve answers to addresses, localhost, and names of -x servehost'])
# A dtrace that does not serve does not say that it does.
for program in ('BEGIN { no_such_function(); }', 'no-such-probe { exit(0); }'):
    other = subprocess.run([sys.argv[1], '--serve', '0', '-n', program], capture_output=True, text=True)
    expect(program, (other.returncode, 'serving' in other.stderr), (1, False))
print('done')
PYTHON
exec python3 check.py "$1" "$here"
