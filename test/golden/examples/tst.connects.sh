#!/bin/bash
# ASSERTION: connects.d shows a connection with the address and the port it goes to.
. ./common.sh
cat >"$tmpdir/connect.py" <<END
import socket
server = socket.create_server(("127.0.0.1", 0))
open("$tmpdir/port", "w").write(str(server.getsockname()[1]))
open("/proc/self/comm", "w").write("$name")
socket.create_connection(server.getsockname()).close()
END
example connects.d -c "python3 $tmpdir/connect.py"
claim "address and port" grep -qE "^$name +[0-9]+ 127\.0\.0\.1 +$(cat "$tmpdir/port")$"
