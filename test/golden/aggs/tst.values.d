/*
 * ASSERTION: what each aggregating function keeps: signs, 64 bits that wrap, truncated averages, a 128-bit sum of squares;
 * arguments are extended by their type.
 * SECTION: Aggregations/Definition and functions
 */
#pragma D option quiet
BEGIN
{
	@c = count(); @c = count();
	@s = sum(-5); @s = sum(3); @su = sum((uint64_t)0xffffffffffffffff); @sc = sum((unsigned char)255); @sd = sum((char)255);
	@a = avg(-7); @a = avg(2); @ab = avg(0x7fffffffffffffff); @ab = avg(0x7fffffffffffffff);
	@mi = min(-3); @mi = min(9); @mi = min(-2); @ma = max(-3); @ma = max(9); @ma = max(-30);
	@d = stddev(12); @d = stddev(8); @d = stddev(-4); @db = stddev(3000000000); @db = stddev(-3000000000); @d1 = stddev(7);
	@p = sum((void *)16); printa("%@d\n", @p);
	printa("%@d ", @c); printa("%@d ", @s); printa("%@d ", @su); printa("%@d ", @sc); printa("%@d\n", @sd);
	printa("%@d ", @a); printa("%@d ", @ab); printa("%@d ", @mi); printa("%@d\n", @ma);
	printa("%@d ", @d); printa("%@u ", @db); printa("%@d %@x\n", @d1, @c);
	exit(0);
}
