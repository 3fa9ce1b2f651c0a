#!/bin/bash
# ASSERTION: tcpRetransSegs and udpInOverflows count what the kernel counts: connection requests that a full queue drops, and
#   datagrams that find no room, in a network of the test's own.
# SECTION: Providers, 18
# @@timeout: 120
cd "$tmpdir" || exit 1
cat >losses.py <<'P'
import socket, subprocess, time
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
def counters(protocol):
    names, values = [line.split()[1:] for line in open("/proc/net/snmp") if line.startswith(protocol + ":")]
    return dict(zip(names, map(int, values)))
listener = socket.create_server(("127.0.0.1", 0), backlog=0)
clients = []
for _ in range(3):  # one more than the queue takes
    client = socket.socket()
    client.setblocking(False)
    client.connect_ex(listener.getsockname())
    clients.append(client)
while counters("Tcp")["RetransSegs"] < 1: time.sleep(0.05)
for client in clients: client.close()
receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
receiver.bind(("127.0.0.1", 0))
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for _ in range(100): sender.sendto(b"x" * 512, receiver.getsockname())
open("own", "w").write(f"{counters('Tcp')['RetransSegs']} {counters('Udp')['RcvbufErrors']}\n")
P
ours() { awk '/^Tcp: [0-9]/ { segments = $13 } /^Udp: [0-9]/ { errors = $6 } END { print segments, errors }' /proc/net/snmp; }
read -r segments_before errors_before <<<"$(ours)"
"$dtrace" -q -n 'mib:::tcpRetransSegs, mib:::udpInOverflows { @[probename] = sum(arg0); }
END { printa("%s %@d\n", @); }' -c 'unshare -n /usr/bin/python3 losses.py' >counted
read -r segments_after errors_after <<<"$(ours)"
read -r segments errors <own
# What else the machine loses meanwhile counts, too.
within() { # NAME LEAST ELSEWHERE
  awk -v name="$1" -v least="$2" -v elsewhere="$3" \
    '$1 == name { print name, ($2 >= least && $2 <= least + elsewhere && least > 0 ? "as the kernel" : $2 " of " least) }' counted
}
within tcpRetransSegs "$segments" $((segments_after - segments_before))
within udpInOverflows "$errors" $((errors_after - errors_before))
