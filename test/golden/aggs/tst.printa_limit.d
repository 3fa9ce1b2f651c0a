/*
 * ASSERTION: a number behind printa()'s aggregations prints the entries with the greatest values, a negative one those with
 * the least, 0 none, and nothing is removed; an order behind it says by what they are sorted, the greatest first with "-".
 * Joined aggregations are limited by the one that they are sorted by, or by the first.
 * SECTION: Aggregations
 */
#pragma D option quiet
BEGIN
{
	@["ant", 4] = sum(10); @["bee", 3] = sum(30); @["cat", 2] = sum(20); @["dog", 1] = sum(40);
	@b["ant", 4] = sum(7); @b["bee", 3] = sum(5); @b["cat", 2] = sum(6); @b["eel", 9] = sum(1);
	n = 2;
	printf("two greatest\n");		printa("%s %d %@d\n", @, 2);
	printf("the same, greatest first\n");	printa("%s %d %@d\n", @, n, "-value");
	printf("two least\n");			printa("%s %d %@d\n", @, -n);
	printf("none\n");			printa("%s %d %@d\n", @, n - 2);
	printf("more than there are\n");	printa("%s %d %@d\n", @, 100);
	printf("three greatest by key\n");	printa("%s %d %@d\n", @, 3, "key");
	printf("by the second key\n");		printa("%s %d %@d\n", @, 100, "key2");
	printf("backwards\n");			printa("%s %d %@d\n", @, 100, "-key");
	printf("joined, by the first\n");	printa("%s %d %@d %@d\n", @, @b, 2);
	printf("joined, by the second\n");	printa("%s %d %@d %@d\n", @, @b, 2, "-value2");
	printf("joined, two least\n");		printa("%s %d %@d %@d\n", @, @b, -2, "value2");
	printf("without a format");		printa(@, 1);
	setopt("aggsortrev");
	printf("aggsortrev\n");			printa("%s %d %@d\n", @, 2);
	printf("all\n");			printa("%s %d %@d\n", @);
	exit(0);
}
