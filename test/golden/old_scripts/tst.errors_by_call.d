#!/usr/sbin/dtrace -s
/* ASSERTION: failing system calls by name and error, with the names of errno.h.	@@trigger: syscalls 4 */
#pragma D option quiet

dtrace:::BEGIN
{
	printf("%-10s %-6s %s\n", "CALL", "ERRNO", "COUNT");
}

syscall:::return
/pid == $target && errno == EBADF && (int)arg0 == -1/
{
	@errs[probefunc, errno] = count();
}

dtrace:::END
{
	printa("%-10s %-6d %@d\n", @errs);
}
