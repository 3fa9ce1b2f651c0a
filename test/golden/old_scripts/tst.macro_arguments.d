#!/usr/sbin/dtrace -qs
/* ASSERTION: $1, $$1 and $$2 as numbers, strings and keys of aggregations. @@runtest-opts: -q 42 some.name 17 */

dtrace:::BEGIN
{
	printf("%d %s %s %d\n", $1 + 1, $$1, $$2, $3);
	@args[$$2] = sum($1);
	@args[$$1] = sum($3);
	@mine[$$2, strlen($$2)] = count();
	exit(0);
}

dtrace:::END
{
	printa("%-10s %@d\n", @args);
	printa("%s is %d long: %@d\n", @mine);
}
