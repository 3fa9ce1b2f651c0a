/*
 * ASSERTION: a variable that nobody declared holds, computes with and shows 64 bits, whatever its first value was; a
 *   declared one is narrowed as in C. What fits its first type is shown as that.
 * SECTION: Variables/Scalar Variables
 */
#pragma D option quiet
int narrow;
self short thread_narrow;
this uint8_t clause_narrow;
int narrow_values[int];

BEGIN
{
	x = 0; self->x = 0; this->x = 0; a["k"] = 0; self->a[1, 2] = 0;
	x = self->x = this->x = a["k"] = self->a[1, 2] = 0x123456789abcdef;
	printf("%x %x %x %x %x\n", x, self->x, this->x, a["k"], self->a[1, 2]);
	narrow = x; self->thread_narrow = x; this->clause_narrow = x; narrow_values[1] = x;
	printf("%x %x %x %x\n", narrow, self->thread_narrow, this->clause_narrow, narrow_values[1]);
}

BEGIN
{
	total = 0; total += 3000000000; total += 3000000000; printf("%d\n", total);
	bits = 1 << 31; printf("%d %d\n", bits, 1 << 31);
	wide = 1 << 40; printf("%d %d %d\n", wide, 1 << 40, 1 << 40 == 1LL << 40);
	product = 5 * 1000000000; printf("%d %d\n", product, narrow_values[1] * 0 + product);
	number = 2147483647; number++; printf("%d\n", number);
	small = (char)100; small += 100; printf("%d\n", small);
	u = 1U; u = -1; printf("%u\n", u);
	printf("%d %d %x\n", sizeof (x), sizeof (small), bits == -1 ? 0 : (int)bits);
}

BEGIN
{
	minus = 0; minus = -1;
	printf("%x %u %ld %d\n", minus, minus, minus, minus == 0xffffffff);
	trace(minus); printf("|"); minus = 1LL << 40; trace(minus); printf("\n");
	print(minus); printf("\n"); minus = 7; print(minus); printf("\n");
}

/* Keys of arrays and aggregations that nobody declared are as wide as their uses. */
BEGIN
{
	keyed[1] = 10; keyed[x] = 20; keyed[(int)x] = 30;
	printf("%d %d %d\n", keyed[1], keyed[x], keyed[(int)x]);
	@[1] = count(); @[x] = count(); @[(int)x] = count(); @[-1] = count();
	exit(0);
}
