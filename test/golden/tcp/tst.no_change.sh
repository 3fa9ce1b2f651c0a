#!/bin/bash
# ASSERTION: tcp:::state-change fires for changes alone, whatever order the two ends close in.
# SECTION: Providers, tcp
. ../../runner/ranges.sh
set -o pipefail
cd "$tmpdir" || exit 1
cat >close.py <<'P'
import socket, time
FIN_WAIT_2, TIME_WAIT, CLOSED = "05", "06", None
def pair():
    listener = socket.create_server(("127.0.0.1", 0))
    a = socket.create_connection(listener.getsockname()); b, _ = listener.accept()
    server, client = listener.getsockname()[1], a.getsockname()[1]
    return a, b, (client, server), (server, client)
def until(end, state):
    """The kernel has that state for the end of a connection with these ports."""
    local, remote = (f"0100007F:{port:04X}" for port in end)
    while next((row[3] for row in map(str.split, open("/proc/net/tcp")) if row[1:3] == [local, remote]), CLOSED) != state:
        time.sleep(0.002)
a, b, client, server = pair()
a.shutdown(socket.SHUT_WR); b.recv(1); until(client, FIN_WAIT_2); a.close(); until(client, FIN_WAIT_2); b.close(); until(client, TIME_WAIT)
a, b, client, server = pair()
a.close(); b.recv(1); until(client, FIN_WAIT_2); b.close(); until(client, TIME_WAIT); until(server, CLOSED)
a, b, client, server = pair()
b.close(); a.close(); until(server, TIME_WAIT); until(client, CLOSED)
P
"$dtrace" -qn 'tcp:::state-change { changes++; }
tcp:::state-change /args[3]->tcps_state == args[5]->tcps_state/ { printf("%s is no change\n", tcp_state_string[args[3]->tcps_state]); }
END { printf("changes %d\n", changes); }' -c 'python3 close.py' | ranges 'changes 12..'
