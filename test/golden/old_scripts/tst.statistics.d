#!/usr/sbin/dtrace -qs
/* ASSERTION: min, max, avg, stddev and negative values side by side.	@@runtest-opts: -q */

dtrace:::BEGIN
{
	v = 4;
	@lo = min(v); @hi = max(v); @mean = avg(v); @dev = stddev(v); @total = sum(v);
	v = -10;
	@lo = min(v); @hi = max(v); @mean = avg(v); @dev = stddev(v); @total = sum(v);
	v = 12;
	@lo = min(v); @hi = max(v); @mean = avg(v); @dev = stddev(v); @total = sum(v);
	exit(0);
}

dtrace:::END
{
	printa("min %@d max %@d avg %@d stddev %@d sum %@d\n", @lo, @hi, @mean, @dev, @total);
}
