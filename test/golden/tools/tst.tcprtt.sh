#!/bin/bash
# ASSERTION: tcprtt.d shows the round-trip times that a program reads from its own connection by TCP_INFO.
# @@timeout: 180      @@tags: long release
. ./common.sh
cat >"$tmpdir/load.py" <<'PY'
# The client reads its estimate after each answer, before the next segment can come. The server closes: its FIN is the last one.
import socket, struct, sys
port, facts = int(sys.argv[1]), sys.argv[2]
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(("127.0.0.1", port))
server.listen(5)
client = socket.create_connection(server.getsockname())
accepted, _ = server.accept()
client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
def estimate():
    return struct.unpack("I", client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104)[68:72])[0] # tcpi_rtt
estimates = [estimate()]
for _ in range(100):
    client.sendall(b"x" * 100)
    accepted.recv(100, socket.MSG_WAITALL)
    accepted.sendall(b"y" * 10)
    client.recv(10, socket.MSG_WAITALL)
    estimates.append(estimate())
accepted.close()
client.recv(1)
client.close()
print(min(estimates), max(estimates), file=open(facts, "w"))
PY
port=$($python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
load="$python $tmpdir/load.py $port $tmpdir/facts"
# rows ADDRESS COUNT: is all as the client has read it? Columns: ADDRESS COUNT AVG P50 P99 MAX
rows() {
  local least most
  read -r least most <"$tmpdir/facts"
  awk -v address="$1" -v nr="$2" -v least="$least" -v most="$most" '$1 == address { n += $2; max = $6 > max ? $6 : max
    bad = bad || $3 < least || $3 > most || $4 > $5 || $5 * 2 < $6 } $1 !~ /^(ADDRESS|)$/ && $1 != address { bad = 1 }
    END { exit bad || n < nr || max != most }' "$out"
}
tool_beside "$load" tcprtt.d -s -r "$port" -i 1
claim "the client's segments and estimates" rows all 101
tool_beside "$load" tcprtt.d -s -r "$port" -B -i 1
claim "-B" rows 127.0.0.1 101
tool_beside "$load" tcprtt.d -s -l "$port" -b -i 1
awk_claim "-l, -b: the server's" '$1 == "127.0.0.1" { n += $2 } END { exit n < 100 }'
tool_beside "$load" tcprtt.d -s -l "$((port == 1 ? 2 : 1))" -i 1
awk_claim "nothing of other ports" '$1 != "ADDRESS" && NF { bad = 1 } END { exit bad }'
"$tools/dtrace-tool" tcprtt.d -r "$port" -t 3 >"$out" 2>"$err" </dev/null &
tracer=$!
while kill -0 $tracer 2>/dev/null; do $load; done
wait $tracer || echo "exit status $?"
without_preempted "$err"
claim "a distribution" test "$(total 'all, microseconds')" -ge 100
