/*
 * ASSERTION: each assignment operator changes its left side and yields it; ++, -- and op= bring variables of every scope
 * into being as int64_t.
 * SECTION: Types and expressions/Operators
 */
#pragma D option quiet
BEGIN
{
	x = 10; x += 5; printf("%d ", x); x -= 3; printf("%d ", x); x *= 4; printf("%d ", x);
	x /= 5; printf("%d ", x); x %= 5; printf("%d\n", x);
	x = 0xf0; x &= 0x3c; printf("%x ", x); x |= 3; printf("%x ", x); x ^= 0xff; printf("%x ", x);
	x <<= 4; printf("%x ", x); x >>= 2; printf("%x\n", x);
	printf("%d %d\n", x = 7, x += 2);
	n += 3; m++; --k; self->b++; this->c--; d[1]++; self->e["x"] += 5;
	printf("%d %d %d %d %d %d %d\n", n, m, k, self->b, this->c, d[1], self->e["x"]);
	printf("%d %d %d %d\n", sizeof (n), sizeof (m), sizeof (self->b), sizeof (d[1]));
	a["k"] = 2; a["k"] *= 21; a["k"]--; printf("%d %d\n", a["k"], a["none"]);
	i = 5; d[i++] += 4; d[i++]--; printf("%d %d %d\n", d[5], d[6], i);
	exit(0);
}
