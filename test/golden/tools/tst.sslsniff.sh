#!/bin/bash
# ASSERTION: sslsniff.d shows the plain bytes that programs read and write by OpenSSL, at both ends of a connection.
# @@timeout: 180      @@tags: userland release
. ./common.sh
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$tmpdir/key.pem" -out "$tmpdir/cert.pem" -subj /CN=localhost -days 2 2>/dev/null || exit 1
cat >"$tmpdir/tls.py" <<PY
import os, socket, ssl
here = "$tmpdir"
def named(name): open("/proc/self/comm", "w").write(name)
ours, theirs = socket.socketpair()
def whole(s, n):
    data = b""
    while len(data) < n: data += s.recv(16384)
    return data
if os.fork() == 0:
    named("tls-server")
    ours.close()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(here + "/cert.pem", here + "/key.pem")
    s = context.wrap_socket(theirs, server_side=True)
    assert whole(s, 12) == b"the question"
    s.sendall(b"an answer")
    assert whole(s, 5) == b"ab\0cd"
    assert whole(s, 20000) == b"x" * 20000
    s.sendall(b"bye")
    os._exit(0)
named("tls-client")
theirs.close()
context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE
c = context.wrap_socket(ours)
c.sendall(b"the question")
whole(c, 9)
c.sendall(b"ab\0cd")
c.sendall(b"x" * 20000)
whole(c, 3)
os.wait()
PY
load="$python $tmpdir/tls.py"
# What one end has done: CALL BYTES and the text behind it, with rows of x as one.
of() {
  awk -v comm="$1" '$1 == "READ" || $1 == "WRITE" { on = $4 == comm; if (on) print $1, $5; next } on && NF { print }' "$out" | sed -E 's/x{50,}/X/'
}
tool sslsniff.d -c "$load"
echo "client:"
of tls-client
echo "server:"
of tls-server
tool sslsniff.d -x -n tls-client -c "$load"
echo "-x, -n:"
of tls-client | grep -vE '^ +(0 +1 +2|[0-9a-f]+: )'
claim "-x: bytes" grep -qE '^ +0: 61 62 00 63 64 +ab\.cd$' "$out"
claim "-n" test "$(of tls-server | wc -l)" = 0
