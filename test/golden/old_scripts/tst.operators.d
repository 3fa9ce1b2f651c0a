#!/usr/sbin/dtrace -qs
/* ASSERTION: arithmetic, shifts, logical xor, comma, increments and precedence.	@@runtest-opts: -q */

dtrace:::BEGIN
{
	i = 7;
	printf("%d %d %d %d\n", i / 2, i % 4, -i / 2, i * -3);
	printf("%d %x %x %d\n", i << 3, ~i & 0xff, i ^ 2, 1 ^^ 0);
	printf("%d %d %d\n", i++, i, --i);
	printf("%d %d\n", 1 + 2 * 3 << 1, (1, 2));
	i += 3; i -= 1; i *= 2; i /= 3; i %= 4; i |= 8; i &= 13; i ^= 1; i <<= 2; i >>= 1;
	printf("%d\n", i);
	printf("%d %d\n", !i, !!i && (i || 0));
	exit(0);
}
