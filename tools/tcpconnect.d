/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcpconnect.d: show the TCP connections that programs open, and how long the answer takes.
 *
 * One line for each connection when it is established, refused, or given up. The latency is the time from the first
 * packet to the answer: about a round trip.
 *
 * filters: -p -n -c -g
 * option: -x | failed | show only connections that were not established
 * option: -P PORT=0 | port | show only connections to this port
 * column: PID, COMM | the process that called connect(2)
 * column: SADDR, SPORT | the local address and port
 * column: DADDR, DPORT | the remote address and port
 * column: LAT(us) | the time to the answer, in microseconds
 * column: RESULT | 0 if the connection was established, or else the error: ECONNREFUSED, ETIMEDOUT
 * example: tcpconnect.d -x | connections that do not succeed
 * example: tcpconnect.d -P 5432 | who uses PostgreSQL
 */
BEGIN
/heading/
{
	printf("%-7s %-15s %-25s %-5s %-25s %-5s %9s %s\n", "PID", "COMM", "SADDR", "SPORT", "DADDR", "DPORT", "LAT(us)", "RESULT");
}

/* The request is the process's own doing; the answer comes in whatever context. */
tcp:::connect-request
/selected && (!port || args[3]->tcps_rport == port)/
{
	started[args[3]->tcps_addr] = timestamp;
	process[args[3]->tcps_addr] = pid;
	name[args[3]->tcps_addr] = execname;
}

tcp:::state-change
/args[5]->tcps_state == TCP_STATE_SYN_SENT && started[args[3]->tcps_addr]/
{
	this->error = args[3]->tcps_state == TCP_STATE_ESTABLISHED ? 0 : ((struct sock *)args[3]->tcps_addr)->sk_err;
	this->established = args[3]->tcps_state == TCP_STATE_ESTABLISHED;
}

tcp:::state-change
/args[5]->tcps_state == TCP_STATE_SYN_SENT && started[args[3]->tcps_addr] && !(failed && this->established)/
{
	printf("%-7d %-15s %-25s %-5d %-25s %-5d %9d %s\n", process[args[3]->tcps_addr], name[args[3]->tcps_addr],
	    args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport,
	    (timestamp - started[args[3]->tcps_addr]) / 1000, errno_name[this->error]);
}

tcp:::state-change
/args[5]->tcps_state == TCP_STATE_SYN_SENT && started[args[3]->tcps_addr]/
{
	started[args[3]->tcps_addr] = 0;
	process[args[3]->tcps_addr] = 0;
	name[args[3]->tcps_addr] = 0;
}
