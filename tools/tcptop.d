/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcptop.d: show which processes send and receive most by TCP, by connection.
 *
 * Bytes are those that programs pass to and get from the kernel, in the process that calls. This needs Linux 6.3.
 *
 * filters: -p -n -c -g -i
 * option: -m ROWS=20 | rows | show at most so many rows, those with the most bytes
 * column: PID, COMM | the process
 * column: LADDR, LPORT | the local address and port
 * column: RADDR, RPORT | the remote address and port; 0 where the socket is not connected to one
 * column: DIR | TX: sent, RX: received
 * column: BYTES | how much
 * example: tcptop.d -i 1 | who does most, second by second
 * example: tcptop.d -g system.slice -t 60 | the services of a minute
 */
#pragma D option aggsortrev

self struct sock *socket;
inline tcpsinfo_t ends = xlate <tcpsinfo_t> ((struct tcp_sock *)self->socket);

/* Bytes that are only looked at (MSG_PEEK, 2) are received later. */
sdt:sock::sock_send_length,
sdt:sock::sock_recv_length
/selected && args[1] > 0 && args[0]->sk_protocol == IPPROTO_TCP && (args[2] & 2) == 0 &&
    (args[0]->__sk_common.skc_family == AF_INET || args[0]->__sk_common.skc_family == AF_INET6)/
{
	self->socket = args[0];
	@bytes[pid, execname, ends.tcps_laddr, ends.tcps_lport, ends.tcps_raddr, ends.tcps_rport,
	    probename == "sock_send_length" ? "TX" : "RX"] = sum(args[1]);
	self->socket = 0;
}

tick-1s, END
/due/
{
	trunc(@bytes, rows);
	heading ? printf("%-7s %-15s %-25s %-5s %-25s %-5s %-3s %14s\n", "PID", "COMM", "LADDR", "LPORT", "RADDR", "RPORT", "DIR",
	    "BYTES") : 0;
	printa("%-7d %-15s %-25s %-5d %-25s %-5d %-3s %@14d\n", @bytes);
	trunc(@bytes);
}
