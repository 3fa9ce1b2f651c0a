#!/bin/bash
# ASSERTION: Connections and datagrams of a program are counted as the kernel counts them: 8 connections are asked for, 7 of them open, one
#   ends with a reset on either side; of 5 datagrams 4 are received, and one has a port that nobody has.
# SECTION: Providers, 18
# @@timeout: 60
cat >"$tmpdir/talk.py" <<'END'
import socket, struct
server = socket.create_server(("127.0.0.1", 0))
for i in range(7):
    client = socket.create_connection(server.getsockname())
    there, _ = server.accept()
    if i == 3:  # linger 0: a reset instead of an end
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
        there.close()
    else:
        client.close()
        there.recv(1)
        there.close()
port = server.getsockname()[1]
server.close()
try:
    socket.create_connection(("127.0.0.1", port))
except ConnectionRefusedError:
    pass
to = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
to.bind(("127.0.0.1", 0))
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for i in range(4):
    sender.sendto(b"x", to.getsockname())
    to.recv(1, socket.MSG_PEEK)
    to.recv(1)
port = to.getsockname()[1]
to.close()
sender.sendto(b"x", ("127.0.0.1", port))
END
"$dtrace" -q -n '
/* What the kernel does for a program it may leave to a thread of its own. */
mib:::tcp*, mib:::udp* /pid == $target || strstr(execname, "ksoftirqd") != NULL/ { @[probename] = sum(arg0); }
END { printa("%s %@d\n", @); }' -c "python3 -B $tmpdir/talk.py" | grep -v '^$' | sort
"$dtrace" -n 'mib:::ipInReceives' 2>&1 | tail -n 1
