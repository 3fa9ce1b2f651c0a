#!/usr/sbin/dtrace -s
/*
 * ASSERTION: Names are bound, types given and conversions explicit; inlines are expanded and constants folded; statements keep
 *   their order.
 * SECTION: Types, Operators, and Expressions
 */
#pragma D option quiet

struct point {
	int x, y;
};
struct point p;
int8_t narrow;
inline int twice[int n] = n + n;

BEGIN
/pid > 2/
{
	p.x = 1;
	this->a = p.x + 2ULL;
	narrow = this->a;
	trace(twice[3]);
	printf("%s %d", execname, narrow);
	self->s = "x";
	a[1, "k"] = 'c';
	trace(a[1, "k"] ? p.y : -1);
	x++;
	if (x > 3) {
		exit(0);
	} else {
		p.y |= 1 << x;
	}
}
