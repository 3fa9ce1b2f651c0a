#!/bin/bash
# ASSERTION: tcptop.d and udptop.d show the bytes of each connection in both directions; tcpretrans.d segments that are sent again.
# @@timeout: 180      @@tags: long release
. ./common.sh
cat >"$tmpdir/load.py" <<'PY'
import socket
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen(5)
client = socket.create_connection(server.getsockname())
accepted, _ = server.accept()
for _ in range(10): client.sendall(b"x" * 1000)
accepted.recv(10000, socket.MSG_PEEK)
accepted.recv(10000, socket.MSG_WAITALL)
accepted.sendall(b"y" * 30)
client.recv(30, socket.MSG_WAITALL)
a = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
a.bind(("127.0.0.1", 0))
b = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
b.connect(a.getsockname())
for _ in range(7): b.send(b"z" * 100)
for _ in range(7): a.recv(1000)
for _ in range(3):
    c = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    c.sendto(b"w" * 50, a.getsockname())
    a.recv(1000)
    a.sendto(b"v" * 20000, c.getsockname())  # several fragments, or one large packet
    c.recv(20000)
PY
load="$python $tmpdir/load.py"
tool tcptop.d -c "$load"
awk_claim "tcptop: both ends, both directions" '$3 == "127.0.0.1" && $5 == "127.0.0.1" { b[$7] = b[$7] " " $8 }
  END { exit b["TX"] != " 10000 30" || b["RX"] != " 10000 30" }'
tool udptop.d -c "$load"
awk_claim "udptop: sent by a connected socket" '$7 == "TX" && $8 == 700 && $6 > 0 { n++ } END { exit n != 1 }'
awk_claim "udptop: received by one that is not" '$7 == "RX" && $8 < 20000 { bytes += $8 }
  END { exit bytes != 850 }'
awk_claim "udptop: both ends of what is sent by sockets that are not connected" '
  $7 == "TX" && $3 == "127.0.0.1" && $5 == "127.0.0.1" && $4 > 0 && $6 > 0 { n[$8]++ }
  END { exit n[50] != 3 || n[20000] != 3 || n[700] != 1 }'
awk_claim "udptop: both ends of what they receive, or none" '
  $7 == "RX" && !($3 == "127.0.0.1" && $5 == "127.0.0.1" && $6 > 0) && !($5 == "0.0.0.0" && $6 == 0) { exit wrong = 1 }
  END { exit wrong }'

# A SYN that is not answered, because the queue of the socket that listens is full: it is sent again after a second.
cat >"$tmpdir/full.py" <<'PY'
import socket, sys, time
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen(0)
print(server.getsockname()[1], file=open(sys.argv[1], "w"))
clients = [socket.socket() for _ in range(4)]
for client in clients:
    client.setblocking(False)
    client.connect_ex(server.getsockname())
# SYNs are sent again after 1, 3, 7 ... s.
for _ in range(600):
    if "state-syn-sent" in open(sys.argv[2]).read():
        break
    time.sleep(0.05)
PY
tool_beside "$python $tmpdir/full.py $tmpdir/port $out" tcpretrans.d
claim "tcpretrans: SYNs" awk -v port="$(cat "$tmpdir/port")" '$1 == "127.0.0.1" && $4 == port && $5 == "state-syn-sent" && $6 == 0 { n++ }
  END { exit n < 1 }'
