/*
 * ASSERTION: signed division truncates toward zero, % has the dividend's sign, >> of a negative is arithmetic.
 * SECTION: Types and expressions/Run-time rules
 */
#pragma D option quiet
int m; int n; long lo;
BEGIN
{
	m = -7; n = 2;
	printf("%d %d %d %d\n", m / n, m % n, m >> 1, (unsigned int)m >> 28);
	lo = -9223372036854775807LL - 1; n = -1;
	printf("%d\n", lo / n);
	printf("%d %d\n", (char)200, (unsigned char)200);
	exit(0);
}
