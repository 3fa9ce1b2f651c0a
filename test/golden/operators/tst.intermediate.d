/*
 * ASSERTION: operators compute in 64 bits, as C would with an int of 64 bits: results are narrowed where they are stored,
 *   recorded, passed or cast; unsigned int wraps at once; types narrower than int count as signed.
 * SECTION: Types, Operators, and Expressions/Arithmetic Operators
 */
#pragma D option quiet
int i; unsigned int u; char c; unsigned char b; short s; long l;

BEGIN
{
	i = 2147483647; u = 4294967295; c = 100; b = 200; s = -30000;
	printf("%d %d %d\n", i + 1, i + 1 > i, (i + 1) / 2);
	l = i + 1; printf("%d %d\n", l, (long)(i + 1));
	i = i + 1; printf("%d\n", i);
	printf("%u %d\n", u + 1, u + 1 > u);
	printf("%d %d %d\n", c + c, c + c > 127, (int)(c + c));
	printf("%d %d %d\n", (unsigned char)(b + b), b + b > 255, (int)(b - 201));
	printf("%d %d\n", b - 201 < 0, (b - 203) / 2);
	printf("%d %d\n", s + s < -40000, (int)(s + s));
	printf("%d %d\n", ~b == -201, -b < 0);
	i = 1; printf("%d %d\n", i << 33, (i << 33) >> 33);
	printf("%d\n", (i << 32) != 0 ? 1 : 0);
	printf("%d %d\n", !(i << 32), (i << 32) && 1);
}
BEGIN /i << 32/ { printf("as a condition all bits count\n"); }
BEGIN /1 << 32/ { printf("of constants too\n"); exit(0); }
