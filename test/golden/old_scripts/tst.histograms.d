#!/usr/sbin/dtrace -qs
/* ASSERTION: what quantize and lquantize print without a format, below their keys.	@@runtest-opts: -q */

dtrace:::BEGIN
{
	@size["read"] = quantize(512); @size["read"] = quantize(600); @size["read"] = quantize(5000);
	@pct["cpu"] = lquantize(5, 0, 100, 10); @pct["cpu"] = lquantize(35, 0, 100, 10); @pct["cpu"] = lquantize(150, 0, 100, 10);
	exit(0);
}

dtrace:::END
{
	printa(@size);
	printa("%s%@d", @pct);
}
