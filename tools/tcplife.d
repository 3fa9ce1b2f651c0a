/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcplife.d: show TCP connections when they end, with their bytes and how long they lasted.
 *
 * The time begins when the connection is requested, at this end or the other. The process is the one that opens the
 * connection or, where that is not seen, the one that closes it; 0 if the kernel does both.
 *
 * option: -l PORT=0 | local_port | show only connections with this local port
 * option: -r PORT=0 | remote_port | show only connections with this remote port
 * column: PID, COMM | the process
 * column: SADDR, SPORT | the local address and port
 * column: DADDR, DPORT | the remote address and port
 * column: TX(B) | the bytes that were sent, without those sent again
 * column: RX(B) | the bytes that were received
 * column: MS | how long the connection lasted, in milliseconds
 * example: tcplife.d -l 443 | the connections that a web server had
 * example: tcplife.d -r 3306 -j | connections to MariaDB, for a program
 */
BEGIN
/heading/
{
	printf("%-7s %-15s %-25s %-5s %-25s %-5s %11s %11s %9s\n", "PID", "COMM", "SADDR", "SPORT", "DADDR", "DPORT", "TX(B)",
	    "RX(B)", "MS");
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_SYN_SENT || args[3]->tcps_state == TCP_STATE_SYN_RECEIVED ||
    (args[3]->tcps_state == TCP_STATE_ESTABLISHED && !begun[args[3]->tcps_addr])/
{
	begun[args[3]->tcps_addr] = timestamp;
}

/* In these changes the process is at work on its own socket. */
tcp:::state-change
/begun[args[3]->tcps_addr] && !process[args[3]->tcps_addr] && (args[3]->tcps_state == TCP_STATE_SYN_SENT ||
    args[3]->tcps_state == TCP_STATE_FIN_WAIT_1 || args[3]->tcps_state == TCP_STATE_LAST_ACK)/
{
	process[args[3]->tcps_addr] = pid;
	name[args[3]->tcps_addr] = execname;
}

tcp:::state-change
/begun[args[3]->tcps_addr] && args[3]->tcps_state == TCP_STATE_CLOSED &&
    (!local_port || args[3]->tcps_lport == local_port) && (!remote_port || args[3]->tcps_rport == remote_port)/
{
	this->connection = (struct tcp_sock *)args[3]->tcps_addr;
	this->sent = this->connection->bytes_sent - this->connection->bytes_retrans;
	/* The kernel counts the other end's FIN as a byte; bit 1 of the flags (SOCK_DONE) says that it has come. */
	this->received = this->connection->bytes_received - ((((struct sock *)args[3]->tcps_addr)->__sk_common.skc_flags >> 1) & 1);
	printf("%-7d %-15s %-25s %-5d %-25s %-5d %11d %11d %9d\n", process[args[3]->tcps_addr], name[args[3]->tcps_addr],
	    args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, this->sent,
	    this->received, (timestamp - begun[args[3]->tcps_addr]) / 1000000);
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED/
{
	begun[args[3]->tcps_addr] = 0;
	process[args[3]->tcps_addr] = 0;
	name[args[3]->tcps_addr] = 0;
}
