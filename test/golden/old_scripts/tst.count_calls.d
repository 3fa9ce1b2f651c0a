#!/usr/sbin/dtrace -s
/* ASSERTION: system calls of the command of -c, counted by name.	@@trigger: syscalls 7 */
#pragma D option quiet

syscall::lseek:entry
/pid == $target/
{
	@num[probefunc] = count();
}

dtrace:::END
{
	printf("%-16s %8s\n", "SYSCALL", "COUNT");
	printa("%-16s %@8d\n", @num);
}
