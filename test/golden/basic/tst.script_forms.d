/*
 * ASSERTION: comments of both kinds, several clauses, predicates, several descriptions, an empty statement.
 * SECTION: Lexical structure
 */
#pragma D option quiet

// a line comment
dtrace:::BEGIN
{
	; x = 1;
	printf("BEGIN %s:%s:%s:%s %d\n", probeprov, probemod, probefunc, probename, id);
}

BEGIN, END /x == 1/ { printf("%s x is one\n", probename); }
BEGIN /x == 2/ { printf("never\n"); }
BEGIN { exit(0) }
END { printf("%s %d\n", probename, id); }
