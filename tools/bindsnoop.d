/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bindsnoop.d: show programs that bind sockets of IPv4 and IPv6 to addresses and ports.
 *
 * One line for each bind(2) with such a socket, when it returns. If it succeeds, the address and the port are those that the socket
 * has then; if it fails, those that the program asked for. Sockets that get a port without bind(2) are not shown, nor are
 * requests of io_uring.
 *
 * filters: -p -n -c -g
 * option: -x | failed | show only calls that failed
 * option: -P PORT=0 | port | show only this port
 * column: PID, COMM | the process
 * column: ERROR | why the call failed, or 0
 * column: PROT | the protocol: TCP, UDP, another one by its number, or RAW
 * column: OPTS | reuseaddr and reuseport, the options of the socket that let others bind the same port; or -
 * column: IF | the number of the interface that the socket belongs to, or 0
 * column: PORT | the port; 0 if the program asked for any and did not get one
 * column: ADDR | the address; - if it cannot be read
 * example: bindsnoop.d | which programs begin to listen, and where
 * example: bindsnoop.d -x -P 80 | programs that cannot have port 80
 */

/* The file of a descriptor of the running process. */
inline struct file *file_of[int fd] = curthread->files->fdt->fd[fd];

self struct sock *sock;
inline int is_v6 = self->sock->__sk_common.skc_family == 10;

BEGIN
/heading/
{
	printf("%-7s %-15s %-13s %-5s %-19s %3s %5s %s\n", "PID", "COMM", "ERROR", "PROT", "OPTS", "IF", "PORT", "ADDR");
}

syscall::bind:entry
/selected && (uint_t)arg0 < curthread->files->fdt->max_fds && file_of[(int)arg0] != NULL &&
    (file_of[(int)arg0]->f_inode->i_mode & 0170000) == 0140000/
{
	self->sock = ((struct socket *)file_of[(int)arg0]->private_data)->sk;
	self->address = (uintptr_t)arg1;
	self->size = (int)arg2;
}

syscall::bind:return
/self->sock != NULL && (!failed || errno) && (self->sock->__sk_common.skc_family == 2 || is_v6)/
{
	this->raw = self->sock->sk_type == 3;
	this->protocol = self->sock->sk_protocol;
	/* What the program has asked for. */
	this->asked = errno != EFAULT && self->size >= (is_v6 ? 24 : 16) ? (uintptr_t)copyin(self->address, is_v6 ? 24 : 16) : 0;
	this->port = errno ? (this->asked ? ntohs(*(uint16_t *)(this->asked + 2)) : 0) : this->raw ? 0 : self->sock->__sk_common.skc_num;
	this->text = errno && !this->asked ? "-" :
	    is_v6 ? (errno ? inet_ntoa6((struct in6_addr *)(this->asked + 8)) :
	    inet_ntoa6((struct in6_addr *)&self->sock->__sk_common.skc_v6_rcv_saddr)) :
	    errno ? inet_ntoa((ipaddr_t *)(this->asked + 4)) : inet_ntoa((ipaddr_t *)&self->sock->__sk_common.skc_rcv_saddr);
	this->reuse = self->sock->__sk_common.skc_reuse != 0;
	this->reuseport = self->sock->__sk_common.skc_reuseport != 0;
}

syscall::bind:return
/self->sock != NULL && (!failed || errno) && (self->sock->__sk_common.skc_family == 2 || is_v6) && (!port || this->port == port)/
{
	printf("%-7d %-15s %-13s %-5s %-19s %3d %5d %s\n", pid, execname, errno_name[errno],
	    this->raw ? "RAW" : this->protocol == 6 ? "TCP" : this->protocol == 17 ? "UDP" : lltostr(this->protocol),
	    this->reuse ? (this->reuseport ? "reuseaddr|reuseport" : "reuseaddr") : this->reuseport ? "reuseport" : "-",
	    self->sock->__sk_common.skc_bound_dev_if, this->port, this->text);
}

syscall::bind:return
{
	self->sock = NULL;
}
