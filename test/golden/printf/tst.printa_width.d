/*
 * ASSERTION: in a format of printa() a width stands before or behind the '@'.
 * SECTION: Output Formatting/printa
 */
#pragma D option quiet
BEGIN
{
	@n["key"] = sum(42);
	printa("%s|%8@d|%-8@d|%@8d|%@-8d|%08@d|%@08x|\n", @n);
	printa("%6s|%@d|%-8@d\n", @n);
	clear(@n);
	exit(0);
}
