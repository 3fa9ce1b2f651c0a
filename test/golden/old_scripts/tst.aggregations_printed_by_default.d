#!/usr/sbin/dtrace -s
/* ASSERTION: what is in aggregations at the end is printed without being asked for.	@@trigger: syscalls 6 */
#pragma D option quiet

syscall::lseek:entry
/pid == $target/
{
	@calls[execname, probefunc] = count();
	@offsets[arg1 % 3] = sum(arg1);
	@ = max(arg1);
}
