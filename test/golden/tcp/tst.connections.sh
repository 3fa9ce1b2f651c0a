#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: Every connection of a program of known behaviour fires once at each end, with its addresses, ports and states.
# SECTION: Providers, 12
# @@timeout: 60
# Three ports that nobody has: two to listen at, one that stays closed.
read -r port closed port6 < <(python3 -c '
import socket
s = [socket.socket() for _ in range(3)]
[x.bind(("127.0.0.1", 0)) for x in s]
print(*(x.getsockname()[1] for x in s))')
"$dtrace" $dt_flags -q -x temporal -n '
BEGIN { first = (uintptr_t)0; port = (uint16_t)0; ended = 0; }
tcp:::connect-request, tcp:::connect-established, tcp:::connect-refused
/args[3]->tcps_rport == $1 || args[3]->tcps_rport == $2 || args[3]->tcps_rport == $3/ {
	@[probename, args[2]->ip_ver, args[2]->ip_saddr, args[2]->ip_daddr, tcp_state_string[args[3]->tcps_state]] = count();
	active += args[3]->tcps_active; local += args[3]->tcps_local; ends++;
	same += args[1]->cs_addr == args[3]->tcps_addr;
	ports_right += probename == "connect-request" ?
	    args[4]->tcp_dport == args[3]->tcps_rport && args[4]->tcp_sport == args[3]->tcps_lport :
	    args[4]->tcp_sport == args[3]->tcps_rport && args[4]->tcp_dport == args[3]->tcps_lport;
}
tcp:::connect-request /args[3]->tcps_rport == $1 || args[3]->tcps_rport == $3/ { mine += args[1]->cs_pid == $target; }
tcp:::accept-established /args[3]->tcps_lport == $1 || args[3]->tcps_lport == $3/ {
	@[probename, args[2]->ip_ver, args[2]->ip_saddr, args[3]->tcps_laddr, tcp_state_string[args[3]->tcps_state]] = count();
}
tcp:::accept-refused /args[3]->tcps_lport == $2/ {
	@[probename, args[2]->ip_ver, args[2]->ip_daddr, args[3]->tcps_laddr, tcp_state_string[args[3]->tcps_state]] = count();
	refused_right += args[4]->tcp_sport == $2 && args[4]->tcp_dport == args[3]->tcps_rport && args[1]->cs_addr == 0 &&
	    args[3]->tcps_local && (args[4]->tcp_flags & TH_RST) != 0 && args[0]->pkt_addr != 0;
}
tcp:::connect-request /args[3]->tcps_rport == $1 && !first/ { first = args[1]->cs_addr; }
tcp:::connect-established /args[1]->cs_addr == first && !port/ { port = args[3]->tcps_lport; }
tcp:::state-change /first != 0 && args[1]->cs_addr == first && !ended/ {
	printf("client %s -> %s\n", tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state]);
	ended = args[3]->tcps_state == TCP_STATE_CLOSED;
}
/* When the kernel gives a new socket its ends, before it is SYN_RECEIVED or after, differs. */
tcp:::state-change /port != 0 && args[3]->tcps_lport == $1 && args[3]->tcps_rport == port &&
    args[3]->tcps_state != TCP_STATE_SYN_RECEIVED/ {
	printf("server %s -> %s\n", tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state]);
}
tcp:::connect-established /args[3]->tcps_rport == $1/ { mss_known += args[3]->tcps_mss > 500 && args[3]->tcps_cwnd > 500; }
END {
	printf("ends %d active %d local %d same %d ports %d mine %d mss %d refused %d\n", ends, active, local, same, ports_right, mine,
	    mss_known, refused_right);
	printa("%s IPv%d %s %s %s %@d\n", @);
}' -c "python3 -B connections.py $port $closed $port6" "$port" "$closed" "$port6" >"$tmpdir/out"
echo "status $?"
grep -a '^client' "$tmpdir/out"
grep -a '^server' "$tmpdir/out"
grep -a -v '^client\|^server\|^$' "$tmpdir/out" | sort
