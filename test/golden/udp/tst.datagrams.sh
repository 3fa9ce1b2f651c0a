#!/bin/bash
# ASSERTION: Datagrams of known sizes, of IPv4 and IPv6, from connected sockets and others, to a socket and to none, are each sent
#   once, by the program, and received once.
# SECTION: Providers, 13
# @@timeout: 60
cat >"$tmpdir/talk.py" <<'END'
import socket
for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
    server = socket.socket(family, socket.SOCK_DGRAM)
    server.bind((address, 50317))
    client = socket.socket(family, socket.SOCK_DGRAM)
    for size in (1, 10, 100):
        client.sendto(b"x" * size, (address, 50317))
        server.recv(65536)
    client.connect((address, 50317))
    for size in (1000, 10000):
        client.send(b"y" * size)
        server.recv(65536)
    client.close()
    nobody = socket.socket(family, socket.SOCK_DGRAM)
    nobody.sendto(b"z" * 7, (address, 50318))
    server.close()
END
"$dtrace" $dt_flags -x temporal -q -n '
udp:::send /args[4]->udp_dport == 50317 || args[4]->udp_dport == 50318/ {
	others += pid != $target;
	wrong += args[1]->cs_addr == 0 || args[1]->cs_addr != args[3]->udps_addr || args[3]->udps_rport != args[4]->udp_dport;
	wrong += args[3]->udps_lport != args[4]->udp_sport || args[3]->udps_laddr != args[2]->ip_saddr;
	wrong += args[3]->udps_raddr != args[2]->ip_daddr || args[0]->pkt_addr == 0;
	wrong += args[4]->udp_length != args[2]->ip_plength;
	printf("send %d IPv%d %s %d\n", args[4]->udp_length - 8, args[2]->ip_ver, args[2]->ip_daddr, args[4]->udp_dport);
}
udp:::receive /args[4]->udp_dport == 50317 || args[4]->udp_dport == 50318/ {
	wrong += args[1]->cs_addr != 0 || args[3]->udps_addr != 0 || args[3]->udps_lport != args[4]->udp_dport;
	wrong += args[3]->udps_rport != args[4]->udp_sport || args[3]->udps_laddr != args[2]->ip_daddr;
	wrong += args[3]->udps_raddr != args[2]->ip_saddr || args[4]->udp_hdr->dest != htons(args[4]->udp_dport);
	printf("receive %d IPv%d %s %d\n", args[4]->udp_length - 8, args[2]->ip_ver, args[2]->ip_daddr, args[4]->udp_dport);
}
END { printf("wrong %d, of others %d\n", wrong, others); }' -c "python3 -B $tmpdir/talk.py" | grep -v '^$'
