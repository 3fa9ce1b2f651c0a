#!/usr/sbin/dtrace -s
/* ASSERTION: lists and globs of probes, and the parts of the one that fired.	@@trigger: syscalls 3 */
#pragma D option quiet

syscall::*seek:entry,
syscall::*seek:return
/pid == $target/
{
	@[probeprov, probefunc, probename] = count();
}

syscall::[l]seek:entry
/pid == $target/
{
	@["glob", probefunc, probename] = count();
}

dtrace:::END
{
	printa("%s:%s:%s %@d\n", @);
}
