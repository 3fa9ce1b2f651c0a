#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writesizes.d - what one process writes, by file descriptor: calls, bytes, and the sizes asked for.
 *
 *     writesizes.d -c 'dd if=/dev/zero of=/dev/null count=100'
 *     writesizes.d -p 1234
 *
 * Only calls that succeed count; the size is the value returned.
 */
#pragma D option quiet

syscall::write:entry
/pid == $target/
{
	self->fd = arg0;
	self->writing = 1;
}

syscall::write:return
/self->writing && arg0 >= 0/
{
	@calls[self->fd] = count();
	@bytes[self->fd] = sum(arg0);
	@sizes[self->fd] = quantize(arg0);
}

syscall::write:return
/self->writing/
{
	self->writing = 0;
	self->fd = 0;
}

END
{
	printf("%4s %10s %14s\n", "FD", "CALLS", "BYTES");
	printa("%4d %@10d %@14d\n", @calls, @bytes);
	printa(@sizes);
}
