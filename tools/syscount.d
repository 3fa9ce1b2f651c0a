/* SPDX-License-Identifier: Apache-2.0 */
/*
 * syscount.d: count system calls, by call or by process.
 *
 * A call counts when it begins. With -x only calls that fail count, when they return.
 *
 * filters: -p -n -c -g -i
 * option: -P | by_process | count by process in place of by call
 * option: -x | failed | count only calls that failed
 * option: -m ROWS=20 | rows | show at most so many rows, those with the greatest counts
 * column: PID | the process (with -P)
 * column: CALL, COMM | the call or, with -P, the name of the thread
 * column: COUNT | number of calls
 * example: syscount.d -t 10 -i 1 | which calls are made, second by second
 * example: syscount.d -P -x | whose calls fail
 */
#pragma D option aggsortrev

syscall:::entry
/!failed && !by_process && selected/
{
	@calls[probefunc] = count();
}

syscall:::entry
/!failed && by_process && selected/
{
	@processes[pid, execname] = count();
}

syscall:::return
/failed && !by_process && errno && selected/
{
	@calls[probefunc] = count();
}

syscall:::return
/failed && by_process && errno && selected/
{
	@processes[pid, execname] = count();
}

tick-1s, END
/due/
{
	trunc(@calls, rows);
	trunc(@processes, rows);
	heading && !by_process ? printf("%-20s %10s\n", "CALL", "COUNT") : 0;
	heading && by_process ? printf("%-7s %-15s %10s\n", "PID", "COMM", "COUNT") : 0;
	printa("%-20s %@10d\n", @calls);
	printa("%-7d %-15s %@10d\n", @processes);
	trunc(@calls);
	trunc(@processes);
}
