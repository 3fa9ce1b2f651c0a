/*
 * ASSERTION: sum() is signed; a negative total keeps its sign.
 * SECTION: Aggregations/Functions
 */
#pragma D option quiet
BEGIN { @t = sum(-7); @t = sum(3); printa("total %@d\n", @t); exit(0); }
