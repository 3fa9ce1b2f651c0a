/*
 * ASSERTION: %K, %B and %N print a number with a unit: counts by thousands, bytes by 1024, nanoseconds as time; three digits,
 * or as many decimals as the precision says.
 * SECTION: Printing/Formats
 */
#pragma D option quiet
BEGIN
{
	printf("%K %K %K %K %K %K\n", 0, 999, 1000, 12345, 999499, 999500);
	printf("%K %K %K\n", 1234567890, -4560, 1000000000000000000);
	printf("%B %B %B %B %B\n", 0, 1023, 1024, 1536, 1048575);
	printf("%B %B %B\n", 12345678, 5ULL << 40, -2048);
	printf("%N %N %N %N %N\n", 0, 999, 1500, 12345678, 98765432109);
	printf("%.0K %.1K %.3B %.2N\n", 1999, 1999, 1536, 1999);
	printf("%8K|%-8B|%8N|\n", 1500, 2048, 2500);
	printf("%K %N\n", 0.25, 1.5 * 1000);
	@["x"] = sum(1234567);
	printa("%s %@K %@B %@N %@.3f\n", @);
	normalize(@, 1000);
	printa("%s %@K %@.1B %@N %@.3f\n", @);
	exit(0);
}
