/*
 * ASSERTION: histograms of one sign and of both, increments that cancel, the outermost buckets, steps that do not divide
 * the range, no data at all; labels of llquantize().
 * SECTION: Aggregations/Histogram layout
 */
#pragma D option quiet
BEGIN
{
	@a = quantize(-1, 5); @a = quantize(-4);
	@b = quantize(-1, -123); @b = quantize(1, 246);
	@c = quantize(0x7fffffffffffffff); @d = quantize((int64_t)0x8000000000000000);
	@e = quantize(1, 0); @f = lquantize(1, 0, 10, 1, 0); @g = llquantize(1, 10, 0, 3, 10, 0);
	@h = lquantize(5, 0, 10, 3); @h = lquantize(-5, 0, 10, 3); @h = lquantize(9, 0, 10, 3, 2);
	@i = lquantize(3, -10, 10, 5); @i = lquantize(-7, -10, 10, 5, 3); @i = lquantize(-10, -10, 10, 5, -1);
	@j = llquantize(123, 10, 0, 4, 10); @k = llquantize(-123, 10, 0, 4, 10);
	@l = llquantize(0, 10, 1, 2, 10); @l = llquantize(99999, 10, 1, 2, 10);
	@m = llquantize(5, 10, 0, 2, 20); @m = llquantize(15, 10, 0, 2, 20); @n = llquantize(3, 2, 0, 3, 4);
	@o["key", 1] = quantize(3, 2);
	exit(0);
}
