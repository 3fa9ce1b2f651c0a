#!/usr/sbin/dtrace -qs
/* ASSERTION: columns of numbers and text as reports print them.	@@runtest-opts: -q */

dtrace:::BEGIN
{
	printf("%5d|%-5d|%05d|%+d\n", 42, 42, 42, 42);
	printf("%x|%X|%#x|%o|%08x\n", 48879, 48879, 48879, 8, 48879);
	printf("%10s|%-10s|%.3s|%c\n", "text", "text", "text", 'x');
	printf("%lld|%llu|%hd|%ld\n", (long long)-1, (unsigned long long)7, (short)3, (long)9);
	printf("%*d|%-*d|%%\n", 6, 1, 6, 2);
	printf("%s %s\n", stringof("a"), (string)"b");
	printf("0x%p\n", (void *)4096);
	printf("tab\there\n");
	exit(0);
}
