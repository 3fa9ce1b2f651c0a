/*
 * ASSERTION: count, sum, min, max, avg and stddev of 1, 5, 9 and -3 are 4, 12, -3, 9, 3 and 4.
 * SECTION: Aggregations/Functions
 */
#pragma D option quiet
BEGIN
{
	@c = count(); @c = count(); @c = count(); @c = count();
	@s = sum(1); @s = sum(5); @s = sum(9); @s = sum(-3);
	@lo = min(1); @lo = min(5); @lo = min(9); @lo = min(-3);
	@hi = max(1); @hi = max(5); @hi = max(9); @hi = max(-3);
	@a = avg(1); @a = avg(5); @a = avg(9); @a = avg(-3);
	@d = stddev(1); @d = stddev(5); @d = stddev(9); @d = stddev(-3);
	exit(0);
}
END
{
	printa("count %@d\n", @c);
	printa("sum %@d\n", @s);
	printa("min %@d\n", @lo);
	printa("max %@d\n", @hi);
	printa("avg %@d\n", @a);
	printa("stddev %@d\n", @d);
}
