#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: Datagrams of known size that a program sends over the loopback interface fire once when they are sent and
#   once when they come, with what both headers say.
# SECTION: Providers, 11
# @@timeout: 60
cat >"$tmpdir/talk.py" <<'END'
import socket
for family, address, count, size in ((socket.AF_INET, "127.0.0.1", 5, 1237), (socket.AF_INET6, "::1", 3, 1239)):
    to = socket.socket(family, socket.SOCK_DGRAM)
    to.bind((address, 0))
    with socket.socket(family, socket.SOCK_DGRAM) as sender:
        for _ in range(count):
            sender.sendto(b"x" * size, to.getsockname())
            to.recv(size)
END
"$dtrace" $dt_flags -q -n '
ip:::send, ip:::receive /pid == $target && (args[2]->ip_plength == 1245 || args[2]->ip_plength == 1247)/ {
	@[probename, args[2]->ip_ver, args[2]->ip_saddr, args[2]->ip_daddr, args[3]->if_name, args[3]->if_local] = count();
	@four[probename, args[4]->ipv4_ver, args[4]->ipv4_ihl, args[4]->ipv4_length, args[4]->ipv4_protostr,
	    args[4]->ipv4_saddr, args[4]->ipv4_offset, args[4]->ipv4_ttl != 0, args[4]->ipv4_hdr != 0] = count();
	@six[probename, args[5]->ipv6_ver, args[5]->ipv6_plen, args[5]->ipv6_nextstr, args[5]->ipv6_daddr,
	    args[5]->ipv6_hlim != 0, args[5]->ipv6_hdr != 0] = count();
	wrong += args[0]->pkt_addr == 0 || args[3]->if_addr == 0 || args[3]->if_ipstack == 0;
	wrong += probename == "send" && args[1]->cs_addr == 0;
}
END {
	printf("wrong %d\n", wrong);
	printa("%s IPv%d %s %s %s %d: %@d\n", @);
	printa("%s ver %d ihl %d length %d %s %s offset %d, %d %d: %@d\n", @four);
	printa("%s ver %d length %d %s %s, %d %d: %@d\n", @six);
}' -c "python3 -B $tmpdir/talk.py" >"$tmpdir/out"
echo "status $?"
sort "$tmpdir/out" | grep .
