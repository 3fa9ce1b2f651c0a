/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcpretrans.d: show the TCP segments that are sent again.
 *
 * The kernel sends segments again from timers and when acknowledgements arrive, in the context of any process, so there
 * is no process to choose.
 *
 * option: -P PORT=0 | port | show only connections to or from this port
 * column: SADDR, SPORT | the local address and port
 * column: DADDR, DPORT | the remote address and port
 * column: STATE | the state of the connection
 * column: BYTES | the data in the segment; 0 for a SYN or FIN alone
 * example: tcpretrans.d | which connections lose packets
 * example: tcpretrans.d -P 443 -t 60 | a minute of a web server
 */
self struct sock *socket;
inline tcpsinfo_t ends = xlate <tcpsinfo_t> ((struct tcp_sock *)self->socket);

BEGIN
/heading/
{
	printf("%-25s %-5s %-25s %-5s %-18s %8s\n", "SADDR", "SPORT", "DADDR", "DPORT", "STATE", "BYTES");
}

sdt:tcp::tcp_retransmit_skb
{
	self->socket = (struct sock *)args[0];
}

sdt:tcp::tcp_retransmit_skb
/!port || ends.tcps_lport == port || ends.tcps_rport == port/
{
	printf("%-25s %-5d %-25s %-5d %-18s %8d\n", ends.tcps_laddr, ends.tcps_lport, ends.tcps_raddr, ends.tcps_rport,
	    tcp_state_string[ends.tcps_state], args[1]->len);
}

sdt:tcp::tcp_retransmit_skb
{
	self->socket = 0;
}
