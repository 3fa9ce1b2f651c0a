#!/bin/bash
# ASSERTION: ssllatency.d counts the TLS calls of a client and a server of OpenSSL, their bytes, and the time of their handshakes,
#   also of those that fail and of sockets that do not block.
# @@timeout: 180      @@tags: userland release
. ./common.sh
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$tmpdir/key.pem" -out "$tmpdir/cert.pem" -subj /CN=localhost -days 2 2>/dev/null || exit 1
cat >"$tmpdir/tls.py" <<PY
import os, socket, ssl, sys, time
here = "$tmpdir"
def named(name): open("/proc/self/comm", "w").write(name)
ours, theirs = socket.socketpair()
begun, begin = os.pipe()
if os.fork() == 0:
    named("tls-server")
    ours.close()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(here + "/cert.pem", here + "/key.pem")
    os.read(begun, 1)
    time.sleep(0.2)
    try: s = context.wrap_socket(theirs, server_side=True)
    except (OSError, ssl.SSLError): os._exit(0)
    while True:
        try:
            if not s.recv(16384): break
        except (OSError, ssl.SSLError): break
        s.sendall(b"y" * 100)
    os._exit(0)
named("tls-client")
theirs.close()
context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
if sys.argv[1] != "verify":
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
if sys.argv[1] == "timeout": ours.settimeout(30)
c = context.wrap_socket(ours, server_hostname="localhost", do_handshake_on_connect=False)
start = time.monotonic_ns()
os.write(begin, b"b")
try:
    c.do_handshake()
    for _ in range(10):
        c.sendall(b"x" * 1000)
        n = 0
        while n < 100: n += len(c.recv(100 - n))
except ssl.SSLError as e:
    assert sys.argv[1] == "verify", e
finally:
    open(here + "/handshake", "w").write(str((time.monotonic_ns() - start) // 1000))
c.close()
os.wait()
PY
load="$python $tmpdir/tls.py"

# PID COMM CALL COUNT EMPTY BYTES P50 P99 MAX
tool ssllatency.d -s -c "$load block"
awk_claim "client: writes" '$2 == "tls-client" && $3 == "write" && $4 == 10 && $5 == 0 && $6 == 10000 { n++ } END { exit n != 1 }'
awk_claim "client: reads" '$2 == "tls-client" && $3 == "read" && $4 >= 10 && $5 == 0 && $6 == 1000 { n++ } END { exit n != 1 }'
awk_claim "server: writes" '$2 == "tls-server" && $3 == "write" && $4 == 10 && $6 == 1000 { n++ } END { exit n != 1 }'
awk_claim "server: reads, of which one is the end" '$2 == "tls-server" && $3 == "read" && $4 == 11 && $5 == 1 && $6 == 10000 { n++ } END { exit n != 1 }'
claim "client: the time of the handshake, with the server's delay" awk -v all="$(cat "$tmpdir/handshake")" \
  '$2 == "tls-client" && $3 == "handshake" && $4 == 1 && $9 >= 190000 && $9 <= all { n++ } END { exit n != 1 }'
awk_claim "server: the handshake is what it computes" '$2 == "tls-server" && $3 == "handshake" && $4 == 1 && $9 > 100 { n++ } END { exit n != 1 }'
awk_claim "all have percentiles" 'NR > 1 && !($7 <= $8 && $8 * 2 > $9) { bad = 1 } END { exit bad || NR != 7 }'

tool ssllatency.d -s -c "$load verify"
awk_claim "a handshake that fails" '$2 == "tls-client" && $3 == "handshake" && $4 == 1 && $9 >= 190000 { n++ } $2 == "tls-client" && $3 != "handshake" { n++ } END { exit n != 1 }'
tool ssllatency.d -s -n tls-client -c "$load timeout"
# Python waits for the server between the calls, 0.2 s of the whole time.
claim "a socket that does not block: calls that do not wait" awk -v all="$(cat "$tmpdir/handshake")" \
  '$2 == "tls-client" && $3 == "handshake" && $4 > 1 && $9 <= all - 190000 { n++ } END { exit n != 1 }'
awk_claim "its bytes, and nothing of the server" '$3 == "read" { r = $6 } $3 == "write" { w = $6 } $2 == "tls-server" { r = 0 } END { exit r != 1000 || w != 10000 }'
tool ssllatency.d -s -m 150000 -c "$load block"
awk_claim "-m" 'NR > 1 { bad = bad || $9 < 150000 } $2 " " $3 == "tls-client handshake" { n++ } END { exit bad || n != 1 }'

tool ssllatency.d -n tls-client -c "$load block"
claim "distributions: ten writes" [ "$(total 'tls-client write, microseconds')" = 10 ]
claim "distributions: of 1000 bytes" grep -qE '^ +512 \|@+ +10 +$' "$out"
