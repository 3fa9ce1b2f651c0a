#!/bin/bash
# ASSERTION: tcpdrop.d shows segments that the kernel drops, with their addresses and flags, and the reason of the kernel.
# @@timeout: 180      @@tags: long release
. ./common.sh
cat >"$tmpdir/load.py" <<PY
import ctypes, socket, struct, sys, time
def refused(family, address):
    # A port that nothing listens to: the SYN has no socket.
    closed = socket.socket(family)
    closed.bind((address, int(sys.argv[3]) if len(sys.argv) > 3 else 0))
    client = socket.socket(family)
    client.bind((address, 0))
    try: client.connect(closed.getsockname()[:2])
    except ConnectionRefusedError: pass
    return client.getsockname()[1], closed.getsockname()[1]
facts = [refused(socket.AF_INET, "127.0.0.1")]
if sys.argv[1] == "6": facts.append(refused(socket.AF_INET6, "::1"))
# A socket whose filter lets nothing in.
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen(5)
client = socket.create_connection(server.getsockname())
accepted, _ = server.accept()
code = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0))
accepted.setsockopt(socket.SOL_SOCKET, 26, struct.pack("HxxxxxxQ", 1, ctypes.addressof(code))) # SO_ATTACH_FILTER: return 0
client.sendall(b"hello")
facts.append((client.getsockname()[1], server.getsockname()[1]))
for _ in range(600):
    if "SOCKET_FILTER" in open("$out").read() or sys.argv[2] == "once": break
    time.sleep(0.05)
print(*sum(facts, ()), file=open("$tmpdir/ports", "w"))
PY
grep -q '^0*1 ' /proc/net/if_inet6 2>/dev/null && six=6 || six=-
tool_beside "$python $tmpdir/load.py $six wait" tcpdrop.d
ports=$(cat "$tmpdir/ports")
# SADDR SPORT DADDR DPORT STATE FLAGS REASON WHERE
row() { # ADDRESS FROM TO STATE FLAGS REASON WHERE COUNT
  awk -v address="$1" -v from="$2" -v to="$3" -v state="$4" -v flags="$5" -v reason="SKB_DROP_REASON_$6" -v where="$7" -v nr="$8" \
    '$1 == address && $3 == address && $2 == from && $4 == to && $6 == flags { n++
      bad = bad || $5 !~ "^(" state "|-)$" || $7 != reason || index($8, where) != 9 } END { exit bad || n < 1 || nr && n != nr }' "$out"
}
set -- $ports
claim "a SYN to nobody" row 127.0.0.1 "$1" "$2" - SYN NO_SOCKET 'tcp_v4_rcv+' 1
shift 2
if [ $six = 6 ]; then
  claim "the same of IPv6" row ::1 "$1" "$2" - SYN NO_SOCKET 'tcp_v6_rcv+' 1
  shift 2
else
  echo "ok: the same of IPv6" # not here
fi
claim "data that a socket does not let in" row 127.0.0.1 "$1" "$2" state-established 'PSH|ACK' SOCKET_FILTER tcp_
port=$($python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
tool_beside "$python $tmpdir/load.py - wait" tcpdrop.d -s
claim "-s: stacks" grep -qE '^ +vmlinux`ip_local_deliver'
tool_beside "$python $tmpdir/load.py - once $port" tcpdrop.d -P "$port"
awk_claim "-P: that port only" "NR > 1 && NF { n++; bad = bad || \$4 != $port } END { exit bad || n != 1 }"
