/*
 * @@status: 3
 * ASSERTION: `condition ? action : action` as a statement does what if and else do: with and without actions in both
 * arms, with aggregations, nested, and with values that are not used.
 * SECTION: Expressions/Operators
 */
#pragma D option quiet
BEGIN
{
	i = 0;
	i == 0 ? printf("%-6s", "zero") : 1;
	i == 1 ? printf("%-6s", "one") : 1;
	i ? trace(1) : i == 0 ? printf("nested\n") : printf("no\n");
	i == 0 ? @keys["a"] = count() : 1;
	i == 1 ? @keys["b"] = count() : printf("not b\n");
	(i == 0) ? @sums["c"] = sum(3) : i++;
	i == 0 ? i++ : trace("x");
	printf("i %d\n", i);
	printa("%s %@d\n", @sums);
	i == 1 ? exit(3) : 0;
}
