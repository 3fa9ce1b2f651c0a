#!/usr/sbin/dtrace -s
/* ASSERTION: predicates that compare execname and probefunc with literals and arguments.	@@trigger: syscalls 2	@@runtest-opts: lseek */
#pragma D option quiet

syscall:::entry
/execname == "syscalls" && probefunc == $$1/
{
	@a[execname, probefunc] = count();
}

syscall:::entry
/pid == $target && probefunc != "lseek" && strstr(probefunc, "seek") != NULL/
{
	@b[probefunc] = count();
}

syscall::lseek:entry
/pid == $target && execname >= "sys" && execname < "syt"/
{
	@c["in order"] = count();
}

dtrace:::END
{
	printa("%s %s %@d\n", @a);
	printa("%s %@d\n", @b);
	printa("%s %@d\n", @c);
}
