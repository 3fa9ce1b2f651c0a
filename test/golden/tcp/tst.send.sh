#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: The segments that both ends of a connection send carry the bytes that the program sends, of IPv4 and of IPv6,
#   with the ports and states of their sockets.
# SECTION: Providers, 12
# @@timeout: 60
cat >"$tmpdir/talk.py" <<'END'
import socket
for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
    listener = socket.create_server((address, 0), family=family)
    client = socket.create_connection(listener.getsockname()[:2])
    server, _ = listener.accept()
    client.sendall(b"x" * 100000)
    client.shutdown(socket.SHUT_WR)
    while server.recv(65536):
        pass
    server.sendall(b"y" * 500)
    server.close()
    while client.recv(1000):
        pass
    client.close()
END
"$dtrace" $dt_flags -q -n '
BEGIN { port[0] = 0; }
tcp:::connect-request /args[1]->cs_pid == $target/ { port[args[3]->tcps_rport] = 1; }
tcp:::send /port[args[4]->tcp_dport]/ {
	@bytes["to the server", args[2]->ip_ver] = sum(args[2]->ip_plength - args[4]->tcp_offset);
	@once["opened, closed", args[2]->ip_ver, tcp_state_string[args[3]->tcps_state]] =
	    sum((args[4]->tcp_flags & (TH_SYN | TH_FIN)) != 0 && !args[3]->tcps_retransmit);
}
tcp:::send /port[args[4]->tcp_sport]/ {
	@bytes["to the client", args[2]->ip_ver] = sum(args[2]->ip_plength - args[4]->tcp_offset);
	@once["answered, closed", args[2]->ip_ver, tcp_state_string[args[3]->tcps_state]] =
	    sum((args[4]->tcp_flags & (TH_SYN | TH_FIN)) != 0 && !args[3]->tcps_retransmit);
}
tcp:::send /port[args[4]->tcp_sport] || port[args[4]->tcp_dport]/ {
	wrong += args[4]->tcp_sport != args[3]->tcps_lport || args[4]->tcp_dport != args[3]->tcps_rport;
	wrong += args[2]->ip_saddr != args[3]->tcps_laddr || args[2]->ip_daddr != args[3]->tcps_raddr;
	wrong += args[4]->tcp_offset < 20 || args[0]->pkt_addr == 0 || args[1]->cs_addr != args[3]->tcps_addr;
}
END {
	printf("wrong %d\n", wrong);
	printa("%s IPv%d: %@d bytes\n", @bytes);
	printa("%s IPv%d: %s %@d\n", @once);
}' -c "python3 -B $tmpdir/talk.py" >"$tmpdir/out"
echo "status $?"
# In a state in which it sends only acknowledgments it may send none.
sort "$tmpdir/out" | grep -v '^$' | grep -v ' 0$'; grep 'wrong' "$tmpdir/out"
