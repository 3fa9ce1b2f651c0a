/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gethostlatency.d: show how long programs wait for the address of a host.
 *
 * One line for each call of getaddrinfo(3), gethostbyname(3) and gethostbyname2(3) in the C library, in programs of containers
 * too. Programs that ask for addresses in another way, as those in Go do, are not seen.
 *
 * filters: -p -n -g
 * option: -m MS=0 | min_ms | show only calls that took at least so many milliseconds
 * column: PID, COMM | the process that asks
 * column: US | how long the call took, in microseconds
 * column: STATUS | what getaddrinfo returned, of gethostbyname 0 or -1
 * column: HOST | the name that was asked for
 * example: gethostlatency.d -m 100 | slow look-ups
 * example: gethostlatency.d -n curl | those of one program
 */
BEGIN
/heading/
{
	printf("%-7s %-15s %10s %6s %s\n", "PID", "COMM", "US", "STATUS", "HOST");
}

pid*:libc:getaddrinfo:entry,
pid*:libc:gethostbyname:entry,
pid*:libc:gethostbyname2:entry
/selected/
{
	self->host = arg0 ? copyinstr(arg0) : "";
	self->from = timestamp;
}

pid*:libc:getaddrinfo:return
{
	this->status = (int)arg1;
}

pid*:libc:gethostbyname:return,
pid*:libc:gethostbyname2:return
{
	this->status = arg1 ? 0 : -1;
}

pid*:libc:getaddrinfo:return,
pid*:libc:gethostbyname:return,
pid*:libc:gethostbyname2:return
/self->from/
{
	this->us = (timestamp - self->from) / 1000;
	this->us >= min_ms * 1000 ? printf("%-7d %-15s %10d %6d %s\n", pid, execname, this->us, this->status, self->host) : 0;
	self->from = 0;
	self->host = 0;
}
