#!/usr/sbin/dtrace -s
/* ASSERTION: proc:::create and exit of a command and its child. @@trigger: forks 3 */
#pragma D option quiet

proc:::create
/pid == $target/
{
	@made["created"] = count();
}

proc:::exit
/progenyof($target) && pid != $target/
{
	@made["ended"] = count();
	@how[args[0]] = count();
}

dtrace:::END
{
	printa("%s %@d\n", @made);
	printa("by %d: %@d\n", @how);
}
