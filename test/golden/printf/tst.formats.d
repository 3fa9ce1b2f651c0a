/*
 * ASSERTION: printf conversions follow the argument's size and sign.
 * SECTION: Output formats/printf
 */
#pragma D option quiet
BEGIN
{
	printf("%d %u %x %o %c\n", -1, 3000000000, (char)-1, 8, 'A');
	printf("[%5d] [%-5d] [%05d] [%+d]\n", 42, 42, 42, 42);
	printf("[%10s] [%-10s] [%.2s]\n", "abc", "abc", "abc");
	printf("%lld %llx %p %%\n", -5LL, (uint64_t)255, (void *)0xffff);
	exit(0);
}
