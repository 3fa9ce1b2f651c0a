/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockstat.d: show for which locks of the kernel threads wait, where, and how long.
 *
 * Only waiting is seen: a lock that is free is taken without a probe. For the locks of programs see plockstat.d.
 * Waits within the tracer's own programs are not seen; dtrace reports how many.
 *
 * filters: -p -n -c -g -i
 * option: -m ROWS=20 | rows | show at most so many rows, those with the most time
 * option: -s | by_stack | show the stack of the thread that waits in place of the lock
 * column: KIND | spin, read or write; mutex; percpu: a lock of readers on each CPU; rt: a lock with priorities
 * column: LOCK | the lock's address, or its name if it is a variable of the kernel
 * column: TOTAL(ns) | the time that threads waited for it, in nanoseconds
 * example: lockstat.d -t 10 | which locks threads wait for
 * example: lockstat.d -s -c 'make -j8' | where a command and its children wait for locks
 */
#pragma D option aggsortrev

/* The flags of lock:contention_begin. */
inline string kind[uint_t flags] = flags & 32 ? "mutex" : flags & 16 ? "percpu" : flags & 8 ? "rt" :
    flags & 1 ? (flags & 2 ? "spin-read" : flags & 4 ? "spin-write" : "spin") : flags & 2 ? "read" : flags & 4 ? "write" : "sleep";

sdt:lock::contention_begin
/selected && !self->lock/
{
	self->lock = (uintptr_t)args[0];
	self->flags = args[1];
	self->since = timestamp;
}

sdt:lock::contention_end
/!by_stack && self->lock == (uintptr_t)args[0] && self->lock/
{
	@locks[kind[self->flags], sym(self->lock)] = sum(timestamp - self->since);
}

sdt:lock::contention_end
/by_stack && self->lock == (uintptr_t)args[0] && self->lock/
{
	@stacks[stack(), kind[self->flags]] = sum(timestamp - self->since);
}

sdt:lock::contention_end
/self->lock == (uintptr_t)args[0]/
{
	self->lock = 0;
	self->flags = 0;
	self->since = 0;
}

tick-1s, END
/due/
{
	trunc(@locks, rows);
	trunc(@stacks, rows);
	heading && !by_stack ? printf("%-10s %-40s %14s\n", "KIND", "LOCK", "TOTAL(ns)") : 0;
	printa("%-10s %-40a %@14d\n", @locks);
	printa("%k%16s %@14d ns\n\n", @stacks);
	trunc(@locks);
	trunc(@stacks);
}
