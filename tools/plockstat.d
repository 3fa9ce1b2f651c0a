/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plockstat.d: show where the threads of a program wait for its locks, and how long.
 *
 * The locks are mutexes and read-write locks of the C library. The time is that of the call, so a call that takes a free lock in
 * less than the limit of -m does not count.
 *
 * filters: -p -c -i
 * needs: -p or -c
 * option: -m NS=10000 | min_ns | count calls that took at least so many nanoseconds
 * column: CALL | the function that waited, after its stack
 * column: WAITS | how often it waited there
 * column: TOTAL(us) | the time in microseconds
 * example: plockstat.d -p 1234 -t 10 | which locks of a program are in the way
 * example: plockstat.d -m 1000000 -c './server' | waits of 1 ms and more
 */
pid$target:libc:pthread_mutex_lock:entry,
pid$target:libc:pthread_rwlock_rdlock:entry,
pid$target:libc:pthread_rwlock_wrlock:entry
{
	self->entered = timestamp;
	self->stack = ustack();
}

pid$target:libc:pthread_mutex_lock:return,
pid$target:libc:pthread_rwlock_rdlock:return,
pid$target:libc:pthread_rwlock_wrlock:return
/self->entered && timestamp - self->entered >= min_ns/
{
	@waits[self->stack, probefunc] = count();
	@total[self->stack, probefunc] = sum((timestamp - self->entered) / 1000);
}

pid$target:libc:pthread_mutex_lock:return,
pid$target:libc:pthread_rwlock_rdlock:return,
pid$target:libc:pthread_rwlock_wrlock:return
{
	self->entered = 0;
	self->stack = 0;
}

tick-1s, END
/due/
{
	printa("%k%24s %@d waits, %@d us\n\n", @waits, @total);
	trunc(@waits);
	trunc(@total);
}
