/*
 * ASSERTION: lquantize() has up to 65535 levels, with and without keys.
 * SECTION: Aggregations/Definition and functions
 */
#pragma D option quiet
BEGIN
{
	@a = lquantize(70000, 0, 65535); @a = lquantize(65534, 0, 65535, 1, 2);
	@b["k"] = lquantize(-1, 0, 10000); @b["k"] = lquantize(0, 0, 10000);
	@c = lquantize(7, 0, 10000); trunc(@c);
	@d = lquantize(7, 0, 10000); clear(@d);
	exit(0);
}
