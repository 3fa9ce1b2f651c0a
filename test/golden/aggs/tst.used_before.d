/*
 * ASSERTION: an action may name an aggregation before the clause that assigns it, with the types of its keys.
 * SECTION: Aggregations
 */
#pragma D option quiet
END { printa("%s %d %@d\n", @calls); trunc(@calls, 1); printa(@calls); }
BEGIN { @calls["a", 1] = sum(5); @calls["b", 2] = sum(7); exit(0); }
