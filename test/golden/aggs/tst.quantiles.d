/*
 * ASSERTION: %@.99q prints a quantile of a histogram: the largest value of the bucket in which it lies, exact where a bucket
 * holds one value; what has no upper end says so; without values, or with negative counts, there is none. Widths, keys and
 * other conversions go together with it, and one aggregation serves several.
 * SECTION: Aggregations
 */
#pragma D option quiet
BEGIN
{
	i = 0;
	@pow["p"] = quantize(0); @pow["p"] = quantize(1); @pow["p"] = quantize(5); @pow["p"] = quantize(100);
	@pow["n"] = quantize(-5); @pow["n"] = quantize(-1); @pow["n"] = quantize(3);
	@lin = lquantize(1, 0, 100, 1); @lin = lquantize(2, 0, 100, 1); @lin = lquantize(3, 0, 100, 1);
	@lin = lquantize(4, 0, 100, 1); @lin = lquantize(500, 0, 100, 1);
	@low = lquantize(-7, 0, 100, 10); @low = lquantize(35, 0, 100, 10);
	@log = llquantize(7, 10, 0, 2, 10); @log = llquantize(42, 10, 0, 2, 10); @log = llquantize(5000, 10, 0, 2, 10);
	@odd = quantize(5, 3); @odd = quantize(9, -1);
	@none = quantize(1);
	@weighted = quantize(4, 99); @weighted = quantize(1000, 1);
	printa("%s .25 %@.25q .5 %@.5q .75 %@.75q .999 %@.999q\n", @pow);
	printa("lin .2 %@.2q .5 %@.5q .8 %@.8q .81 %@.81q\n", @lin);
	printa("low .5 %@.5q .51 %@.51q\n", @low);
	printa("log .3 %@.3q .5 %@.50q .99 %@.99q\n", @log);
	printa("odd %@.5q\n", @odd);
	printa("weighted .05 %@.05q .99 %@.99q .991 %@.991q\n", @weighted);
	printa("[%8@.99q] [%-8@.99q] %%\n", @weighted);
	clear(@none);
	printa("none %@.5q\n", @none);
	@n["p"] = count();
	printa("%s %@d %@.5q %@.99q\n", @n, @pow);
	exit(0);
}
