#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opens.d - files being opened: by which program, with which descriptor or error.
 *
 *     opens.d                        until Ctrl-C
 *
 * The path is a user address at the entry. It is read at the return, when the kernel has just read it itself: a page
 * that is not in memory at the entry could not be read there.
 */
/* arm64 has neither open nor creat. */
#pragma D option zdefs
#pragma D option quiet

BEGIN
{
	printf("%-16s %7s %4s %4s %s\n", "PROGRAM", "PID", "FD", "ERR", "PATH");
}

syscall::open:entry,
syscall::creat:entry
{
	self->path = arg0;
}

syscall::openat:entry,
syscall::openat2:entry
{
	self->path = arg1;
}

syscall::open:return,
syscall::creat:return,
syscall::openat:return,
syscall::openat2:return
/self->path/
{
	printf("%-16s %7d %4d %4d %s\n", execname, pid, arg0, errno, copyinstr(self->path));
	self->path = 0;
}
