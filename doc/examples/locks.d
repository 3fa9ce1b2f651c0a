#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * locks.d - which locks the threads of a process wait for: nanoseconds in all and their distribution, by the stack that
 * wanted the lock.
 *
 *     locks.d -p 1234                until Ctrl-C
 *     locks.d -c ./server
 *
 * Mutexes, condition variables, semaphores and joins wait in futex(2), which is called only when a thread must wait: what
 * nobody contends for costs nothing and does not show. The functions on the stack say which of them it was.
 */
#pragma D option quiet

inline int WAIT = 0;
inline int LOCK_PI = 6;
inline int WAIT_BITSET = 9;
inline int COMMAND = 0x7f; /* without the flags */

syscall::futex:entry
/pid == $target && ((arg1 & COMMAND) == WAIT || (arg1 & COMMAND) == LOCK_PI || (arg1 & COMMAND) == WAIT_BITSET)/
{
	self->since = timestamp;
}

syscall::futex:return
/self->since/
{
	@waited[ustack()] = sum(timestamp - self->since);
	@each[ustack()] = quantize(timestamp - self->since);
	self->since = 0;
}

END
{
	trunc(@waited, 10);
	printa("%k%@12d ns%@d\n", @waited, @each);
}
