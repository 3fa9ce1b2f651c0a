/* SPDX-License-Identifier: Apache-2.0 */
/*
 * errinfo.d: count the system calls that fail, by program, call and error.
 *
 * filters: -p -n -c -g -i
 * column: COMM | the name of the thread
 * column: CALL | the system call
 * column: ERROR | the error, as in errno(3)
 * column: COUNT | how often
 * example: errinfo.d -n postgres -t 10 | what fails in PostgreSQL
 * example: errinfo.d -c 'man ls' | what fails while a command runs
 */
#pragma D option aggsortrev

syscall:::return
/errno && selected/
{
	@errors[execname, probefunc, errno_name[errno]] = count();
}

tick-1s, END
/due/
{
	heading ? printf("%-15s %-20s %-15s %10s\n", "COMM", "CALL", "ERROR", "COUNT") : 0;
	printa("%-15s %-20s %-15s %@10d\n", @errors);
	trunc(@errors);
}
