/*
 * ASSERTION: comparisons follow the usual conversions, without promotion to int: the operand of greater rank decides the
 * sign. Strings compare by unsigned bytes, pointers as addresses.
 * SECTION: Types and expressions/Conversions
 */
#pragma D option quiet
BEGIN
{
	this->i = -1; this->u = (unsigned)1; this->c = (char)-1;
	printf("%d %d %d %d\n", this->i < this->u, -1 < 1u, -1LL < 1ULL, -1 < 1);
	printf("%d %d %d\n", this->c == 255, (unsigned char)255 == (char)-1, this->c < 0);
	printf("%d %d\n", (int64_t)-1 > (uint64_t)1, (short)-1 == -1);
	printf("%d %d %d %d %d %d\n", "a" < "b", "b" < "a", "a" <= "a", "abc" > "ab", "" == "", "\xff" > "a");
	s = "abc";
	printf("%d %d %d %d\n", s == "abc", s != "abd", "abd" > s, s >= "abcd");
	printf("%d %d\n", curthread->comm == execname, execname == stringof(curthread->comm));
	p = &curthread->comm[1];
	printf("%d %d %d %d\n", p > &curthread->comm[0], p == curthread->comm + 1, p != NULL, curthread == 0);
	printf("%d %d %d %d\n", sizeof ((char)1 + (char)1), sizeof ((char)1 + 1), sizeof (1 + 1L), sizeof (1 < 2L));
	printf("%d %d %d\n", sizeof (-(char)1), sizeof (~(short)1), sizeof (x = 1 ? (char)1 : 1LL));
	exit(0);
}
