/* SPDX-License-Identifier: Apache-2.0 */
/*
 * udptop.d: show which processes send and receive most by UDP, by connection.
 *
 * Bytes are those that programs pass to and get from the kernel, in the process that calls. This needs Linux 6.3.
 *
 * filters: -p -n -c -g -i
 * option: -m ROWS=20 | rows | show at most so many rows, those with the most bytes
 * column: PID, COMM | the process
 * column: LADDR, LPORT | the local address and port
 * column: RADDR, RPORT | the remote address and port; 0: received without a connection, where the kernel does not tell
 * column: DIR | TX: sent, RX: received
 * column: BYTES | how much
 * example: udptop.d -i 1 | who does most, second by second
 * example: udptop.d -g system.slice -t 60 | the services of a minute
 */
#pragma D option aggsortrev

self struct sock *socket;
inline tcpsinfo_t ends = xlate <tcpsinfo_t> ((struct tcp_sock *)self->socket);

/*
 * A socket that is not connected does not know the ends of its datagrams. They are in the datagram itself, which is given to a
 * device before the call that sends it ends. Kernels before 6.18 free it in the call that receives it. A datagram in a
 * socket's queue has a small number as dev; interrupts free others, whose dev is an address.
 */
self uintptr_t sent;	/* the socket */
self int got;
self string laddr, raddr;
self uint16_t lport, rport;

udp:::send
/selected/
{
	self->sent = args[3]->udps_addr;
	self->got = 0;
	self->laddr = args[3]->udps_laddr;
	self->lport = args[3]->udps_lport;
	self->raddr = args[3]->udps_raddr;
	self->rport = args[3]->udps_rport;
}

sdt:skb::consume_skb
/selected && self->sent == 0 && (int64_t)(uintptr_t)args[0]->dev > 0 && __dt_is_ip[args[0]] &&
    __dt_ip_begins[__dt_iphdr[args[0]], IPPROTO_UDP]/
{
	self->got = 1;
	self->laddr = __dt_ip_daddr[args[0]];
	self->lport = ntohs(__dt_udphdr[args[0]]->dest);
	self->raddr = __dt_ip_saddr[args[0]];
	self->rport = ntohs(__dt_udphdr[args[0]]->source);
}

/* Bytes that are only looked at (MSG_PEEK, 2) are received later. */
sdt:sock::sock_send_length,
sdt:sock::sock_recv_length
/selected && args[1] > 0 && args[0]->sk_protocol == IPPROTO_UDP && (args[2] & 2) == 0 &&
    (args[0]->__sk_common.skc_family == AF_INET || args[0]->__sk_common.skc_family == AF_INET6)/
{
	self->socket = args[0];
	this->is_seen = args[0]->__sk_common.skc_num == self->lport &&
	    (probename == "sock_send_length" ? self->sent == (uintptr_t)args[0] : self->got);
	@bytes[pid, execname, this->is_seen ? self->laddr : ends.tcps_laddr, ends.tcps_lport,
	    this->is_seen ? self->raddr : ends.tcps_raddr, this->is_seen ? self->rport : ends.tcps_rport,
	    probename == "sock_send_length" ? "TX" : "RX"] = sum(args[1]);
	self->socket = 0;
	self->sent = 0;
	self->got = 0;
	self->laddr = self->raddr = 0;
	self->lport = self->rport = 0;
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
