#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: What both ends of a connection receive are the bytes that the other end sends, of IPv4 and of IPv6, with the ends of
#   the connection the other way round; it opens and closes once from either side.
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
tcp:::send /port[args[4]->tcp_dport]/ { sent += args[2]->ip_plength - args[4]->tcp_offset; }
tcp:::receive /port[args[4]->tcp_dport]/ {
	@bytes["by the server", args[2]->ip_ver] = sum(args[2]->ip_plength - args[4]->tcp_offset);
	@once["opened", args[2]->ip_ver] = sum((args[4]->tcp_flags & TH_SYN) != 0);
	@once["closed", args[2]->ip_ver] = sum((args[4]->tcp_flags & TH_FIN) != 0);
	received += args[2]->ip_plength - args[4]->tcp_offset;
	ahead += received > sent;
}
tcp:::receive /port[args[4]->tcp_sport]/ {
	@bytes["by the client", args[2]->ip_ver] = sum(args[2]->ip_plength - args[4]->tcp_offset);
	@once["answered", args[2]->ip_ver] = sum((args[4]->tcp_flags & (TH_SYN | TH_ACK)) == (TH_SYN | TH_ACK));
	@once["closed in answer", args[2]->ip_ver] = sum((args[4]->tcp_flags & TH_FIN) != 0);
}
tcp:::receive /port[args[4]->tcp_sport] || port[args[4]->tcp_dport]/ {
	wrong += args[4]->tcp_sport != args[3]->tcps_rport || args[4]->tcp_dport != args[3]->tcps_lport;
	wrong += args[2]->ip_saddr != args[3]->tcps_raddr || args[2]->ip_daddr != args[3]->tcps_laddr;
	wrong += args[4]->tcp_offset < 20 || args[0]->pkt_addr == 0 || args[1]->cs_addr != 0 || args[1]->cs_cid != 0;
	wrong += args[3]->tcps_local != 1 || args[4]->tcp_hdr->source != htons(args[4]->tcp_sport);
}
END {
	printf("wrong %d, received before they are sent %d\n", wrong, ahead);
	printa("%s IPv%d: %@d bytes\n", @bytes);
	printa("%s IPv%d: %@d\n", @once);
}' -c "python3 -B $tmpdir/talk.py" >"$tmpdir/out"
echo "status $?"
sort "$tmpdir/out" | grep -v '^$'
