#!/usr/sbin/dtrace -s
/* ASSERTION: normalize, denormalize, trunc of both signs and clear, in the order of the output. */
#pragma D option quiet

dtrace:::BEGIN
{
	@b["a"] = sum(1000); @b["b"] = sum(20000); @b["c"] = sum(300); @b["d"] = sum(45678);
	normalize(@b, 1000);
	printa("%s %@d\n", @b);
	denormalize(@b);
	trunc(@b, 3);
	printa("%s %@d\n", @b);
	trunc(@b, -2);
	printa("%s %@d\n", @b);
	clear(@b);
	printa("%s %@d\n", @b);
	trunc(@b);
	printa("%s %@d\n", @b);
	printf("none\n");
	exit(0);
}
