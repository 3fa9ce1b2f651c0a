#!/bin/bash
# ASSERTION: tcpconnect.d, tcpaccept.d, tcpstates.d and tcplife.d show connections with their ends, bytes, times and results.
# @@timeout: 180      @@tags: long release
. ./common.sh
cat >"$tmpdir/load.py" <<'PY'
# One connection with 1000 bytes there and 30 back, open for 50 ms; one that is refused. Their ports go to a file.
import select, socket, sys
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen(5)
closed = socket.socket()
closed.bind(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
accepted, _ = server.accept()
client.sendall(b"x" * 1000)
assert len(accepted.recv(1000, socket.MSG_WAITALL)) == 1000
accepted.sendall(b"y" * 30)
client.recv(30, socket.MSG_WAITALL)
select.select([], [], [], 0.05)
ports = server.getsockname()[1], client.getsockname()[1], closed.getsockname()[1]
client.close()
accepted.recv(1)
accepted.close()
try:
    socket.create_connection(closed.getsockname())
except ConnectionRefusedError:
    pass
print(*ports, file=open(sys.argv[1], "w"))
PY
load="$python $tmpdir/load.py $tmpdir/ports"
# ports_claim TEXT PROGRAM: awk_claim with the three ports.
ports_claim() {
  local server client closed
  read -r server client closed <"$tmpdir/ports"
  claim "$1" awk -v server="$server" -v client="$client" -v closed="$closed" "$2"
}

tool tcpconnect.d -c "$load"
ports_claim "tcpconnect: established" \
  '$2 ~ /^python/ && $3 == "127.0.0.1" && $4 == client && $6 == server && $7 > 0 && $8 == "0" { n++ } END { exit n != 1 }'
ports_claim "tcpconnect: refused" '$6 == closed && $8 == "ECONNREFUSED" { n++ } END { exit n != 1 }'
tool tcpconnect.d -x -c "$load"
ports_claim "tcpconnect -x" '$6 == closed { n++ } END { exit n != 1 || NR != 2 }'

tool tcpaccept.d -c "$load"
ports_claim "tcpaccept" '$3 > 2 && $4 == "127.0.0.1" && $5 == client && $6 == "127.0.0.1" && $7 == server { n++ } END { exit n != 1 || NR != 2 }'

awaited="last-ack *state-closed" tool_beside "$load" tcpstates.d
ports_claim "tcpstates: the states of the client" '$3 == client || ($3 == 0 && $5 == server) { all = all " " $7 }
  END { gsub(/state-/, "", all); exit all != " syn-sent established fin-wait-1 fin-wait-2 closed" }'
ports_claim "tcpstates: 50 ms in one" '$3 == client && $6 == "state-established" { exit !($8 >= 50000) }'

awaited=" 1000 *30 " tool_beside "$load" tcplife.d
ports_claim "tcplife: bytes and time at the client" '$4 == client && $7 == 1000 && $8 == 30 && $9 >= 50 { n++ } END { exit n != 1 }'
ports_claim "tcplife: and at the server" '$4 == server && $6 == client && $7 == 30 && $8 == 1000 && $9 >= 50 { n++ } END { exit n != 1 }'
ports_claim "tcplife: the process" '$4 == client && $2 ~ /^python/ && $1 > 0 { n++ } END { exit n != 1 }'
