/*
 * ASSERTION: a conversion to bool asks for any bit, >= of unsigned values is unsigned, NULL may stand on either side of != and
 *   ==, also beside a number read as a string, and a division by -1 negates: at run time and in constants.
 * SECTION: Types, Operators, and Expressions
 */
#pragma D option quiet

uint64_t high, low;
string text;

BEGIN
{
	n = 2;
	zero = 0;
	printf("%d %d %d %d\n", (_Bool)n, (_Bool)(n << 40), (_Bool)zero, (_Bool)-n);
	high = 1;
	high <<= 63;
	low = 1;
	printf("%d %d %d %d\n", high >= low, low >= high, high > low, low > high);
	text = "s";
	printf("%d %d %d %d\n", (string)0 != text, text != NULL, (string)0 == text, NULL == (string)zero);
	printf("%d %d %d\n", (string)zero == NULL, (string)zero != NULL, (string)(uintptr_t)curthread == NULL);
	printf("%d %d %d %d\n", 7 / -1, -7 / -1, 7 % -1, n / -1);
	exit(0);
}
