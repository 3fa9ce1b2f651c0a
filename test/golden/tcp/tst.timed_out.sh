#!/bin/bash
# ASSERTION: tcp:::connect-refused is about ECONNREFUSED alone: a connection that ends otherwise before it is open fires
# state-change and not connect-refused.
# SECTION: Providers, tcp
cd "$tmpdir" || exit 1
cat >connect.py <<'P'
import socket
# One that is refused, and one whose program gives up: the listener's queue is full, so nobody answers.
closed = socket.socket(); closed.bind(("127.0.0.1", 0)); refused = closed.getsockname()[1]
try:
    socket.create_connection(("127.0.0.1", refused))
except ConnectionRefusedError:
    print("refused")
listener = socket.socket(); listener.bind(("127.0.0.1", 0)); listener.listen(0)
waiting = []
for _ in range(4):
    s = socket.socket(); s.setblocking(False); s.connect_ex(listener.getsockname()); waiting.append(s)
for s in waiting:
    s.close()
print("given up", flush=True)
P
"$dtrace" -qn 'tcp:::connect-refused /pid == $target/ { refused++; }
tcp:::state-change /pid == $target && args[5]->tcps_state == TCP_STATE_SYN_SENT && args[3]->tcps_state == TCP_STATE_CLOSED/
{ closed++; }
END { printf("refused %d, others %d\n", refused, closed > refused); }' -c 'python3 connect.py'
