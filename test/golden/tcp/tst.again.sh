#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: A segment that nobody answers is sent again, and says so.
# SECTION: Providers, 2.7
# @@timeout: 60
cat >"$tmpdir/knock.py" <<'END'
import select
import socket
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(0)  # takes one, and does not answer the next
first = socket.create_connection(listener.getsockname())
second = socket.socket()
second.setblocking(False)
second.connect_ex(listener.getsockname())
select.select([], [second], [], 20)
END
"$dtrace" $dt_flags -q -n '
tcp:::connect-request /args[1]->cs_pid == $target/ { last = args[1]->cs_addr; asked++; }
tcp:::send /asked == 2 && args[1]->cs_addr == last && args[4]->tcp_flags & TH_SYN/ {
	printf("%s sent, again: %d\n", tcp_state_string[args[3]->tcps_state], args[3]->tcps_retransmit);
	sent++;
}
tcp:::send /sent == 2/ { exit(0); }' -c "python3 -B $tmpdir/knock.py"
echo "status $?"
