#!/bin/sh
# ASSERTION: progenyof() follows the children of a shell; execname, ppid and curpsinfo of each; a count by program.
$dtrace -qn '
#pragma D option quiet
proc:::exec-success
/progenyof($target)/
{
	@execs[execname] = count();
	@args[execname == "sh" ? "sh" : curpsinfo->pr_psargs] = count();
}
proc:::exit
/progenyof($target) && execname == "true"/
{
	@children[ppid == $target ? "child of the shell" : "another"] = count();
}
dtrace:::END
{
	printa("%-6s %@d\n", @execs);
	printa("%s: %@d\n", @children);
	printa("%s: %@d\n", @args);
}' -c "/bin/sh -c '/bin/true; /bin/true; /bin/echo hello >/dev/null; :'" 2>/dev/null
