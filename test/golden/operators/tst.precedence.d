/*
 * ASSERTION: operators bind as the grammar says: C's order, with ^^ between && and ||, and unary operators, sizeof and
 * stringof closest.
 * SECTION: Lexical structure and grammar/Grammar
 */
#pragma D option quiet
BEGIN
{
	printf("%d %d %d %d %d\n", 2 + 3 * 4, (2 + 3) * 4, 10 - 4 - 3, 100 / 10 / 5, 7 % 4 * 2);
	printf("%d %d %d %d\n", 1 << 2 + 1, 1 << 2 << 3, 5 > 3 == 1, 7 & 3 == 3);
	printf("%d %d %d %d\n", 1 | 2 ^ 3 & 4, 6 & 3 ^ 1, 1 || 0 && 0, 0 == 1 || 2 == 2);
	printf("%d %d %d %d\n", 1 ^^ 1 || 1, 1 || 1 ^^ 1, 1 ^^ 0 && 0, 0 ^^ 2 && 3);
	printf("%d %d %d\n", 1 ? 2 : 0 ? 3 : 4, 0 ? 1 : 1 ? 5 : 6, 0 || 1 ? 7 : 8);
	printf("%d %d %d %d %d\n", -2 * -3, - -3, !!7, ~0 & 6, !0 + 1);
	printf("%d %d %d\n", sizeof (int) * 2, sizeof (char) + 1, -1 - -1);
	x = y = z = 4;
	x += y -= 3;
	printf("%d %d %d\n", x, y, z);
	x = 5;
	printf("%d", x++ + ++x);
	printf(" %d %d\n", x, -x--);
	printf("%d %d\n", x-- - --x, x);
	printf("%s %d\n", stringof curthread->comm, sizeof curthread->comm);
	this->p = (int *)alloca(16);
	this->p[0] = 1; this->p[1] = 20; this->p[2] = 300;
	printf("%d %d %d\n", *this->p++, *this->p, (*this->p)++);
	printf("%d %d %d\n", *++this->p, *--this->p, -*this->p);
	printf("%d\n", (x = 3, y = x + 1, y * 2));
	exit(0);
}
