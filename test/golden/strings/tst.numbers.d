/*
 * ASSERTION: lltostr() and strtoll() in every base; toupper() and tolower() change ASCII letters only; byte order.
 * SECTION: Actions and subroutines/Subroutines
 */
#pragma D option quiet
BEGIN
{
	printf("%s %s %s %s\n", lltostr(0), lltostr(-1), lltostr(0x7fffffffffffffff), lltostr(0x8000000000000000));
	printf("%s %s %s %s %s\n", lltostr(255, 16), lltostr(8, 8), lltostr(5, 2), lltostr(-7, 10), lltostr(35, 36));
	printf("%s %s %s\n", lltostr(-1, 16), lltostr(-1, 8), lltostr(-1, 36));
	printf("%d %d %d %d %d %d\n", strtoll("123"), strtoll("  -5x"), strtoll("+7"), strtoll("0x1f"), strtoll("0x1f", 16), strtoll("1f", 16));
	printf("%d %d %d %d %d %d\n", strtoll("z", 36), strtoll("101", 2), strtoll("077", 8), strtoll(""), strtoll("abc"), strtoll("-"));
	printf("%d %d\n", strtoll("9223372036854775807"), strtoll("-9223372036854775808"));
	b = 16; printf("%s %d\n", lltostr(b * 2, b), strtoll(lltostr(b * 2, b), b));
	printf("%s|%s|%s|[%s]\n", toupper("aZ09[`{~@"), tolower("aZ09[`{~@"), toupper(execname), tolower(""));
	printf("%x %x %x %x %x %x\n", htons(0x12345), ntohs(-2), htonl(1), ntohl(0x100000000), htonll(1), ntohll(-2));
	printf("%d %d %d\n", sizeof (htons(1)), sizeof (htonl(1)), sizeof (htonll(1)));
	exit(0);
}
