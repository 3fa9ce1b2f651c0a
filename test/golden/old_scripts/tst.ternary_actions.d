#!/usr/sbin/dtrace -qs
/* ASSERTION: cond ? action : action; as a statement, nested, with assignments, and with a plain value as one arm.	@@runtest-opts: -q */

inline int VERBOSE = 1;
inline int QUIET = 0;

dtrace:::BEGIN
{
	VERBOSE ? printf("verbose\n") : printf("terse\n");
	QUIET ? printf("quiet\n") : 1;
	n = 5;
	n > 3 ? @big["big"] = count() : @small["small"] = count();
	n > 9 ? printf("huge\n") : n > 4 ? printf("middle\n") : printf("little\n");
	n == 5 ? (n = 6) : (n = 7);
	printf("%d\n", n);
	exit(0);
}

dtrace:::END
{
	printa("%s %@d\n", @big);
}
