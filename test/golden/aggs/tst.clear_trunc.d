/*
 * ASSERTION: clear() zeroes values and keeps keys; trunc(@, n) keeps the n largest; normalize() divides until denormalize().
 * SECTION: Aggregations/Operations
 */
#pragma D option quiet
BEGIN
{
	@a["one"] = sum(1); @a["two"] = sum(2); @a["three"] = sum(3);
	trunc(@a, 2);
	printa("%s %@d\n", @a);
	@n = sum(100);
	normalize(@n, 10);
	printa("n %@d\n", @n);
	denormalize(@n);
	printa("n %@d\n", @n);
	clear(@a);
	printa("%s %@d\n", @a);
	exit(0);
}
