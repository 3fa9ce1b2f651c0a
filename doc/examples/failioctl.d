#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * failioctl.d - ioctl(2) calls that fail: their arguments, the stack that made them, the error. Calls that succeed
 * leave nothing.
 *
 *     failioctl.d                    until Ctrl-C
 *
 * Whether a call fails is known at its return only. What the entry has to say is therefore recorded into a speculation,
 * which the return commits or discards. A speculation is free again when dtrace has seen that, some milliseconds later;
 * nspec is therefore more than could be open at once.
 */
#pragma D option flowindent
#pragma D option nspec=256

syscall::ioctl:entry
{
	self->spec = speculation();
}

syscall::ioctl:entry
/self->spec/
{
	speculate(self->spec);
	printf("%s (%d): descriptor %d, request 0x%x", execname, pid, arg0, arg1);
	ustack(10);
}

syscall::ioctl:return
/self->spec/
{
	speculate(self->spec);
	printf("result %d, errno %d", arg0, errno);
}

syscall::ioctl:return
/self->spec && errno != 0/
{
	commit(self->spec);
	self->spec = 0;
}

syscall::ioctl:return
/self->spec/
{
	discard(self->spec);
	self->spec = 0;
}
