/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcpstates.d: show the changes of TCP connections' states, and how long each state lasted.
 *
 * A change may happen in the context of any process, so there is no process to choose. TIME_WAIT is left out: the
 * kernel has a socket of its own for that, and the connection's goes to CLOSED.
 *
 * option: -l PORT=0 | local_port | show only connections with this local port
 * option: -r PORT=0 | remote_port | show only connections with this remote port
 * column: SOCKET | the kernel's address of the connection
 * column: SADDR, SPORT | the local address and port
 * column: DADDR, DPORT | the remote address and port
 * column: OLD | the state that the connection leaves
 * column: NEW | the state that it enters
 * column: FOR(us) | how long it was in the old one, in microseconds; 0 if its begin was not seen
 * example: tcpstates.d -l 80 | what a web server's connections go through
 * example: tcpstates.d -r 5432 -t 60 | a minute of connections to PostgreSQL
 */
uint64_t entered[uintptr_t];	/* when each socket came to its state, in nanoseconds */

BEGIN
/heading/
{
	printf("%-16s %-25s %-5s %-25s %-5s %-18s %-18s %12s\n", "SOCKET", "SADDR", "SPORT", "DADDR", "DPORT", "OLD", "NEW",
	    "FOR(us)");
}

tcp:::state-change
/(!local_port || args[3]->tcps_lport == local_port) && (!remote_port || args[3]->tcps_rport == remote_port)/
{
	printf("%-16x %-25s %-5d %-25s %-5d %-18s %-18s %12d\n", args[3]->tcps_addr, args[3]->tcps_laddr, args[3]->tcps_lport,
	    args[3]->tcps_raddr, args[3]->tcps_rport, tcp_state_string[args[5]->tcps_state],
	    tcp_state_string[args[3]->tcps_state],
	    entered[args[3]->tcps_addr] ? (timestamp - entered[args[3]->tcps_addr]) / 1000 : 0);
}

tcp:::state-change
{
	entered[args[3]->tcps_addr] = args[3]->tcps_state == TCP_STATE_CLOSED ? 0 : timestamp;
}
