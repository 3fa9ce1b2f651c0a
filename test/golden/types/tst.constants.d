/*
 * ASSERTION: integer constants have the first type that holds them, by base and suffix; character constants are ints of
 * up to eight bytes, the first most significant; strings end at their NUL.
 * SECTION: Lexical structure and grammar/Integer constants
 */
#pragma D option quiet
BEGIN
{
	printf("%d %d %d %d %d\n", sizeof (1), sizeof (2147483647), sizeof (2147483648), sizeof (0xffffffff), sizeof (0x100000000));
	printf("%d %d %d %d %d\n", sizeof (1u), sizeof (4294967296u), sizeof (1l), sizeof (1ull), sizeof ('a'));
	printf("%d %d %d %d\n", 0x7fffffff, 0xffffffff, 4294967295, 0x8000000000000000);
	printf("%d %d %d %d\n", 037777777777, 0xFFFFFFFFFFFFFFFF, 18446744073709551615u, 01777777777777777777777);
	printf("%d %x %d\n", -2147483648, 0XaBcDeF, 0);
	printf("%x %x %x %d %d\n", 'ab', 'abcd', '\n', '\377', '\x7f');
	printf("%d %d %d %d %d %d\n", '\0', '\\', '\'', '"', '\101', '\a');
	printf("%S\n", "\a\b\f\n\r\t\v\"\\\101\x41\x4142\q\'\18");
	printf("%d %d %d %d\n", sizeof ("abc"), sizeof (""), sizeof ("ab\0cd"), strlen("ab\0cd"));
	printf("a\0not seen");
	printf("\n");
	exit(0);
}
