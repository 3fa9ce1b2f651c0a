#!/usr/sbin/dtrace -s
/* ASSERTION: a report of several aggregations joined by key, then sorted by another one. */
#pragma D option quiet

dtrace:::BEGIN
{
	@calls["read"] = count(); @calls["read"] = count(); @calls["write"] = count();
	@time["read"] = sum(1500); @time["read"] = sum(500); @time["write"] = sum(9000);
	@avg["read"] = avg(1500); @avg["read"] = avg(500); @avg["write"] = avg(9000);
	@max["read"] = max(1500); @max["write"] = max(9000); @max["close"] = max(3);
	exit(0);
}

dtrace:::END
{
	printf("%-8s %6s %8s %8s %8s\n", "CALL", "COUNT", "TIME", "AVG", "MAX");
	printa("%-8s %@6d %@8d %@8d %@8d\n", @calls, @time, @avg, @max);
	setopt("aggsortpos", "1");
	setopt("aggsortrev");
	printf("\n");
	printa("%-8s %@6d %@8d\n", @calls, @time);
	setopt("aggsortkey");
	printa("%s ", @max);
	printf("\n");
}
