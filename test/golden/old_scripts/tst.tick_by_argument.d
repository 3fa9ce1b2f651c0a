#!/usr/sbin/dtrace -qs
/* ASSERTION: a macro argument in a probe's name, and tick with units.	@@runtest-opts: -q 5 ms */

profile:::tick-$1ms
{
	n++;
}

profile:::tick-$1ms
/n >= 2/
{
	printf("ticks in %d%s\n", $1, $$2);
	exit(0);
}
