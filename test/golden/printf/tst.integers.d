/*
 * ASSERTION: integers print at their own size: d by their sign, i signed, u o x X unsigned; size letters want their type;
 * flags, widths and precisions as C's, also from arguments.
 * SECTION: Output formats/printf formats
 */
#pragma D option quiet
short s; unsigned short us; long l; unsigned long ul; long long ll; unsigned long long ull;
enum e { EA = 7 };
BEGIN
{
	printf("%d %i %u %o %x %X\n", -1, -1, -1, -1, -1, -1);
	printf("%d %i %u %o %x %X\n", (char)-1, (char)-1, (char)-1, (char)-1, (char)-1, (char)-1);
	printf("%d %i %u %d %i %u\n", (uint64_t)-1, (uint64_t)-1, (int64_t)-1, (unsigned)-1, (unsigned)-1, (unsigned char)200);
	s = -2; us = 65535; l = ll = -3; ul = ull = -3;
	printf("%hd %hi %hu %ho %hx %hX\n", s, s, us, us, s, us);
	printf("%ld %li %lu %lo %lx %lX\n", l, l, ul, ul, l, ul);
	printf("%lld %lli %llu %llo %llx %llX\n", ll, ll, ull, ull, ll, ull);
	printf("%llx %lld %llu %ld\n", (uint64_t)5, (int64_t)5, (uint64_t)5, (int64_t)5);
	printf("[%5d][%-5d][%05d][%+d][% d][%#x][%#o][%#X]\n", 42, 42, 42, 42, 42, 42, 42, 42);
	printf("[%.3d][%8.3d][%-8.3d][%+05d][%-05d][%08.3d][%.0d][%#x]\n", 7, 7, 7, 42, 5, 7, 0, 0);
	printf("[%*d][%-*d][%.*d][%*.*d][%*d]\n", 5, 42, 5, 42, 3, 7, 8, 3, 7, -5, 42);
	printf("[%?x][%?p][%-?x]\n", 1, 2, 3);
	printf("%p %p %#p [%10p] %p\n", 255, (void *)0x1234, 16, 17, NULL);
	printf("%d %x %u %p 100%%\n", EA, EA, EA, EA);
	printf("[%c][%c][%5c][%-5c][%C][%C][%C][%C]\n", 'a', 65, 'b', 'c', 'a', '\n', 0, 200);
	exit(0);
}
