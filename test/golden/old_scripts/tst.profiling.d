#!/usr/sbin/dtrace -s
/* ASSERTION: profile-997hz samples the command by name and by user function.	@@trigger: spin 1 */
#pragma D option quiet

profile:::profile-997hz
/pid == $target/
{
	@hot[execname] = count();
	@modes[arg1 ? "user" : "kernel"] = count();
	samples++;
}

dtrace:::END
{
	printf("%s\n", samples > 10 ? "sampled" : "not sampled");
	trunc(@modes, 1);
	clear(@modes);
	printa("mostly in %s mode\n", @modes);
	clear(@hot);
	printa("%s %@d\n", @hot);
}
