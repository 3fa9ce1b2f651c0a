/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcpaccept.d: show the TCP connections that programs accept.
 *
 * One line for each accept(2) and accept4(2) that gives a TCP connection.
 *
 * filters: -p -n -c -g
 * option: -P PORT=0 | port | show only connections to this local port
 * column: PID, COMM | the process that called accept(2)
 * column: FD | its descriptor of the connection
 * column: RADDR, RPORT | the remote address and port
 * column: LADDR, LPORT | the local address and port
 * example: tcpaccept.d -P 22 | who connects to sshd
 * example: tcpaccept.d -n nginx -t 60 | a minute of a web server
 */

/* The kernel's connection of a descriptor; its socket is a TCP one if family, type and protocol say so. */
inline struct sock *sock_of[int fd] = ((struct socket *)curthread->files->fdt->fd[fd]->private_data)->sk;
self struct sock *connection;
inline tcpsinfo_t connection = xlate <tcpsinfo_t> ((struct tcp_sock *)self->connection);

BEGIN
/heading/
{
	printf("%-7s %-15s %4s %-25s %-5s %-25s %-5s\n", "PID", "COMM", "FD", "RADDR", "RPORT", "LADDR", "LPORT");
}

syscall::accept:return,
syscall::accept4:return
/(int)arg1 >= 0 && selected/
{
	this->sock = sock_of[(int)arg1];
	self->connection = (this->sock->__sk_common.skc_family == AF_INET || this->sock->__sk_common.skc_family == AF_INET6) &&
	    this->sock->sk_protocol == IPPROTO_TCP ? this->sock : NULL;
}

syscall::accept:return,
syscall::accept4:return
/self->connection && (!port || connection.tcps_lport == port)/
{
	printf("%-7d %-15s %4d %-25s %-5d %-25s %-5d\n", pid, execname, (int)arg1, connection.tcps_raddr, connection.tcps_rport,
	    connection.tcps_laddr, connection.tcps_lport);
}

syscall::accept:return,
syscall::accept4:return
{
	self->connection = 0;
}
