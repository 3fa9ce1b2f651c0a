/*
 * ASSERTION: names of types may name variables where a variable can stand; global, thread-local, clause-local variables
 * and aggregations have name spaces of their own; a lone @ is the aggregation _.
 * SECTION: Lexical structure and grammar/Tokens in EXPR state
 */
#pragma D option quiet
int same; self string same; this char same;
BEGIN
{
	uint8_t = 3; page++; dev_t[1] = 5; inode = "node";
	printf("%d %d %d %s\n", uint8_t, page, dev_t[1], inode);
	same = 1; self->same = "two"; this->same = '3'; @same = sum(4);
	printf("%d %s %c", same, self->same, this->same); printa(" %@d\n", @same);
	@ = count(); @ = count(); printa("%@d\n", @_);
	a = b = c = 7; printf("%d%d%d %d\n", a, b, c, sizeof (a));
	_x1 = 1; Xx = 2; printf("%d\n", _x1 + Xx);
	exit(0);
}
