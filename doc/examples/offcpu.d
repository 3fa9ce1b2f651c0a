#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * offcpu.d - where the threads of a process wait: for how many milliseconds in all, and how often, by the stacks that led
 * there, the kernel's and the program's.
 *
 *     offcpu.d -p 1234               until Ctrl-C
 *     offcpu.d -c 'tar xf archive'
 *
 * Waiting is what is between leaving a CPU and coming back to one: for a disk, a lock, a timer, the network, or a CPU.
 * Both stacks are read when the thread leaves the CPU, because that is where it waits.
 */
#pragma D option quiet

sched:::off-cpu
/pid == $target/
{
	self->since = timestamp;
	self->kernel = stack();
	self->user = ustack();
}

sched:::on-cpu
/self->since/
{
	@waited[self->kernel, self->user] = sum((timestamp - self->since) / 1000000);
	@times[self->kernel, self->user] = count();
	self->since = 0;
	self->kernel = 0;
	self->user = 0;
}

END
{
	trunc(@waited, 10);
	printa("%k%k%@12d ms, %@d times\n\n", @waited, @times);
}
