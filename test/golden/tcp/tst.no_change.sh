#!/bin/bash
# ASSERTION: tcp:::state-change fires for changes alone, whatever order the two ends close in.
# SECTION: Providers, tcp
cd "$tmpdir" || exit 1
cat >close.py <<'P'
import socket, time
def pair():
    listener = socket.create_server(("127.0.0.1", 0))
    a = socket.create_connection(listener.getsockname()); b, _ = listener.accept()
    return a, b
a, b = pair(); a.shutdown(socket.SHUT_WR); b.recv(1); time.sleep(0.05); a.close(); time.sleep(0.05); b.close()
a, b = pair(); a.close(); b.recv(1); time.sleep(0.05); b.close()
a, b = pair(); b.close(); a.close()
time.sleep(0.05)
P
"$dtrace" -qn 'tcp:::state-change { changes++; }
tcp:::state-change /args[3]->tcps_state == args[5]->tcps_state/ { printf("%s is no change\n", tcp_state_string[args[3]->tcps_state]); }
END { printf("%s changes\n", changes >= 12 ? "many" : "few"); }' -c 'python3 close.py'
