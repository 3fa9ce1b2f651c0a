/*
 * ASSERTION: clear() keeps keys, trunc() keeps the greatest or, with a negative count, the smallest; normalize() divides
 * what is printed, of every function, until denormalize().
 * SECTION: Aggregations/Operations on aggregations
 */
#pragma D option quiet
BEGIN
{
	@a["a"] = sum(1); @a["b"] = sum(5); @a["c"] = sum(3);
	@b["a"] = sum(1); @b["b"] = sum(5); @b["c"] = sum(3);
	@c[1] = count(); @d["a"] = count(); @e = count();
	trunc(@a, 2); trunc(@b, -1); trunc(@c); trunc(@d, 0); trunc(@e);
	printa("%s %@d\n", @a); printf("--\n"); printa("%s %@d\n", @b); printa(@c); printa(@d); printa(@e);
	n = 1; trunc(@a, n); printa("%s %@d\n", @a); trunc(@a, 100); printa("%s %@d\n", @a);
	@n = sum(100); @nq = quantize(4, 10); @na = avg(100); @ns = stddev(100); @ns = stddev(300); @nm = min(77); @nn = sum(-100);
	normalize(@n, 7); normalize(@nq, 5); normalize(@na, 10); normalize(@ns, 10); normalize(@nm, 10); normalize(@nn, 7);
	printa("%@d\n", @n); printa("%@d", @nq); printa("%@d %@d %@d %@d\n", @na, @ns, @nm, @nn);
	denormalize(@n); printa("%@d\n", @n);
	normalize(@n, -7); normalize(@ns, -10); normalize(@nn, -7); printa("%@d %@d %@d %@.2f\n", @n, @ns, @nn, @n); denormalize(@n);
	clear(@n); clear(@nm); clear(@a); printa("%@d %@d\n", @n, @nm); printa("%s %@d\n", @a);
	exit(0);
}
