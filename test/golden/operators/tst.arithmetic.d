/*
 * ASSERTION: division truncates toward zero and the remainder has the dividend's sign; >> keeps the sign of signed types
 * only; INT64_MIN / -1 does not trap; && || ?: evaluate what they need, ^^ both sides. Constants and variables agree.
 * SECTION: Types and expressions/Operators
 */
#pragma D option quiet
int64_t low;
int minus;
BEGIN
{
	x = -7; minus = -2;
	printf("%d %d %d %d %d\n", x / 2, x % 2, x >> 1, 7 / minus, 7 % minus);
	printf("%d %d %d %d %d\n", -7 / 2, -7 % 2, -7 >> 1, 7 / -2, 7 % -2);
	low = 0x8000000000000000; minus = -1;
	printf("%d %d\n", low / minus, low % minus);
	printf("%d %d\n", (-9223372036854775807 - 1) / -1, (-9223372036854775807 - 1) % -1);
	u = 0xfffffffffffffff9;
	printf("%d %d %x\n", u / 2, u % 10, u >> 1);
	w = (uint32_t)0xf0000000;
	printf("%x %x %d\n", w >> 4, w << 4, w >> 31);
	v = (int)0xf0000000;
	printf("%x %d\n", v >> 28, v >> 31);
	n = 0; 0 && n++; 1 || n++; 1 ? 0 : n++; printf("%d", n);
	1 && n++; 0 || n++; 0 ^^ n++; 1 ^^ n++; printf(" %d\n", n);
	this->a = 2; this->b = 0;
	printf("%d %d %d %d %d\n", this->a && this->b, this->a || this->b, this->a ^^ this->b, this->a ^^ 3, !this->a);
	printf("%d %d %d %d %d\n", 2 && 0, 2 || 0, 2 ^^ 0, 2 ^^ 3, !2);
	printf("%d %d %d\n", 1 << 33, 1LL << 33, (int)(1 << 31));
	exit(0);
}
