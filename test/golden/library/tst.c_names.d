/*
 * ASSERTION: types and constants that scripts for other systems use without including a header: the C library's, of the
 * size that programs have them in, and the faults of ERROR's arg4.
 * SECTION: Types, Operators, and Expressions/predefined types
 */
#pragma D option quiet
struct timespec ts;
struct timeval tv;
u_char c;
u_short s;
u_int i;
u_long l;
quad_t q;
u_quad_t uq;
socklen_t length;
BEGIN
{
	ts.tv_sec = -1;
	ts.tv_nsec = 999999999;
	tv.tv_sec = -2;
	tv.tv_usec = 999999;
	printf("%d %d %d %d %d %d\n", sizeof (ts), sizeof (tv), ts.tv_sec, ts.tv_nsec, tv.tv_sec, tv.tv_usec);
	c = -1; s = -1; i = -1; l = -1; q = -1; uq = -1; length = -1;
	printf("%d %d %d %d %d %d %d\n", sizeof (c), sizeof (s), sizeof (i), sizeof (l), sizeof (q), sizeof (uq), sizeof (length));
	printf("%d %d %d %d %d %d %d\n", c, s, i, l == -1, q, uq == -1, length);
	printf("%d %d %d %d %d %d\n", DTRACEFLT_UNKNOWN, DTRACEFLT_BADADDR, DTRACEFLT_BADALIGN, DTRACEFLT_ILLOP,
	    DTRACEFLT_DIVZERO, DTRACEFLT_NOSCRATCH);
	printf("%d %d %d %d %d %d\n", DTRACEFLT_KPRIV, DTRACEFLT_UPRIV, DTRACEFLT_TUPOFLOW, DTRACEFLT_BADSTACK,
	    DTRACEFLT_BADSIZE, DTRACEFLT_BADINDEX);
}
BEGIN
{
	zero = 0;
	trace(1 / zero);
}
ERROR
{
	printf("%s\n", arg4 == DTRACEFLT_DIVZERO ? "division by zero" : "another fault");
	exit(0);
}
