/*
 * ASSERTION: printa() in its default layout and with a format, of one aggregation and of several joined by their keys;
 * keys print by their type and conversion; nothing is printed for an empty aggregation; what was printed is not printed
 * again at exit.
 * SECTION: Aggregations/printa
 */
#pragma D option quiet
struct key { int a; char b; } kk;
enum color { RED, GREEN = 3 };
BEGIN
{
	@a[1, "x"] = sum(3); @a[2, "y"] = sum(1); @b[2, "y"] = max(7); @none[1] = count(); trunc(@none);
	printa(@a); printa(@a, @b); printa("%d %s %@d\n", @a); printa("[%5d|%-5s|%@5d|%@-5d|%@d]\n", @a, @b);
	printa("no conversions\n", @b); printa(@none); printa("never %d\n", @none);
	@t[(char)-1, (short)-1, -1, -1LL] = count();
	printa(@t); printa("%d %d %d %d %@d\n", @t); printa("%x %x %x %x %@x\n", @t); printa("%u %hd %u %lld %@u %@o %@i %@ld\n", @t);
	@q["h"] = quantize(4); printa("%s:%@d", @q);
	printf("\n");
	kk.a = 1; kk.b = 'q'; @s[kk] = count(); @s[kk] = count(); printa(@s);
	@e[GREEN] = count(); @p[(void *)0x10] = count(); @n[curthread->comm] = count(); printa(@e); printa(@p); printa(@n);
	@sym[sym((uintptr_t)&`vfs_read), mod((uintptr_t)&`vfs_read), func(1)] = count(); printa(@sym);
	@["unprinted"] = count(); @only = count();
	exit(0);
}
