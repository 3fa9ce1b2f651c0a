/*
 * ASSERTION: integer and string keys print in their columns, entries in order of their values.
 * SECTION: Aggregations/Default printing
 */
#pragma D option quiet
BEGIN
{
	@k["k"] = sum(4);
	@m[1, "x"] = sum(3);
	@i[1, (short)2, (char)3, 4ULL] = count();
	exit(0);
}
