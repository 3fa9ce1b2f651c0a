#!/usr/sbin/dtrace -s
/* ASSERTION: a report for each interval: the top entries, then trunc. */
#pragma D option quiet

dtrace:::BEGIN
{
	interval = 0;
}

profile:::tick-1sec
/interval < 3/
{
	interval++;
	@top["a"] = sum(interval * 1); @top["b"] = sum(interval * 10); @top["c"] = sum(interval * 100);
}

profile:::tick-1sec
/interval <= 3 && !done/
{
	done = interval == 3;
	printf("interval %d\n", interval);
	trunc(@top, 2);
	printa("  %-4s %@d\n", @top);
	trunc(@top);
}

profile:::tick-1sec
/done/
{
	exit(0);
}
