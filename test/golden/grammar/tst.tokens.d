#!/usr/sbin/dtrace -s
/*
 * ASSERTION: comments of both kinds, `#!` lines, continued lines and blank statements may stand anywhere; `/` ends the
 * predicate or divides, by what follows; control lines that mean nothing are passed over.
 * SECTION: Lexical structure and grammar/Tokens in EXPR state
 */
#pragma D option quiet
#ident "ignored"
#pragma ident "ignored"
#pragma other words
#
# 
inline int two = 2; // to the end of the line
/**/ dtrace:::BEGIN /* a */ , /* b */ dtrace:::BEGIN /* c */ / 8 / two == 4 / /* d */
{
	/* / * */ ; ;
	x = 12 / /* not the end */ two / 3; // nor this /
#pragma D option quietresize
	y = x /* = */ + \
	    1 ; ;
#! also nothing
	printf("%d %d\n", x, y); z += 8 /
	    two; z /= 1
}
BEGIN / (1 + 2) / 3 == 1 / { printf("predicate\n") ; }
BEGIN /two/{printf("tight\n")}
BEGIN / ! 1 / { printf("never\n"); }
BEGIN
/ two &&
  z == 8 /
{ printf("%d %s\n", z, "a // string /* is */ one $1 $pid # not"); exit(0) }
