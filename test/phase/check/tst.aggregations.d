#!/usr/sbin/dtrace -s
/*
 * ASSERTION: Keys of an aggregation have the types of all its uses, parameters are constants, and what acts on it names it.
 * SECTION: Aggregations
 */
#pragma D option quiet

syscall::read:entry
{
	@["short", tid] = lquantize(arg2, 0, 10, 2);
	@["a longer one", tid] = lquantize(arg2, 0, 10, 2);
	@calls[probefunc] = count();
	@spread[stack(3)] = llquantize(timestamp, 10, 0, 6, 20);
	@deviation = stddev(arg2 - 1);
}

END
{
	trunc(@calls, 5);
	normalize(@spread, 1000);
	printa("%s %@d\n", @calls);
	printa(@deviation);
	clear(@);
}
