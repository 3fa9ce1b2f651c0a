#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * readlat.d - how long read(2) and pread64(2) take, in nanoseconds, as a distribution for each program.
 *
 *     readlat.d                      until Ctrl-C
 *
 * A call that was under way when tracing began has no start and is left out by the predicate.
 */
#pragma D option quiet

syscall::read:entry,
syscall::pread64:entry
{
	self->start = timestamp;
}

syscall::read:return,
syscall::pread64:return
/self->start/
{
	@latency[execname] = quantize(timestamp - self->start);
	self->start = 0;
}
