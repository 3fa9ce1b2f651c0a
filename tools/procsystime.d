/* SPDX-License-Identifier: Apache-2.0 */
/*
 * procsystime.d: show how long system calls take, by call.
 *
 * The time of a call is the time between its entry and its return: it includes the time that the thread waits. A
 * percentile is the upper bound of the bucket that it lies in; buckets are powers of two.
 *
 * filters: -p -n -c -g -i
 * column: CALL | the system call
 * column: COUNT | number of calls that returned
 * column: TOTAL(us), AVG(us), MAX(us) | their time in microseconds
 * column: P50(us), P99(us) | half of the calls, and 99 of 100, took no longer
 * example: procsystime.d -p 1234 -t 10 | where the time of a process goes
 * example: procsystime.d -c 'tar cf /dev/null /etc' | where the time of a command goes
 */
#pragma D option aggsortrev
#pragma D option aggsortpos=1

syscall:::entry
/selected/
{
	self->entered = timestamp;
}

syscall:::return
/self->entered/
{
	this->us = (timestamp - self->entered) / 1000;
	@calls[probefunc] = count();
	@total[probefunc] = sum(this->us);
	@average[probefunc] = avg(this->us);
	@longest[probefunc] = max(this->us);
	@times[probefunc] = quantize(this->us);
	self->entered = 0;
}

tick-1s, END
/due/
{
	heading ? printf("%-20s %9s %12s %9s %9s %9s %9s\n", "CALL", "COUNT", "TOTAL(us)", "AVG(us)", "MAX(us)", "P50(us)",
	    "P99(us)") : 0;
	printa("%-20s %@9d %@12d %@9d %@9d %@9.5q %@9.99q\n", @calls, @total, @average, @longest, @times);
	trunc(@calls);
	trunc(@total);
	trunc(@average);
	trunc(@longest);
	trunc(@times);
}
