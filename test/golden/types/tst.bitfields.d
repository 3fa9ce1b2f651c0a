/*
 * ASSERTION: bit-fields of variables and of scratch memory are read with their sign, stored within their width, and leave
 * their neighbours alone.
 * SECTION: Types and expressions/Structs, unions, bit-fields, enums, arrays
 */
#pragma D option quiet
struct fields {
	unsigned int a : 3;
	int b : 5;
	unsigned int c : 24;
	uint64_t wide : 40;
	uint64_t rest : 24;
	char tail;
};
struct fields v;
BEGIN
{
	v.a = 9; v.b = -3; v.c = 0xffffff; v.wide = 0x123456789a; v.rest = -1; v.tail = 'x';
	printf("%d %d %x %x %x %c %d\n", v.a, v.b, v.c, v.wide, v.rest, v.tail, sizeof (struct fields));
	v.a++; v.b -= 14; v.c >>= 20; v.wide |= 0xf000000000; v.rest &= 0xf0;
	printf("%d %d %x %x %x %c\n", v.a, v.b, v.c, v.wide, v.rest, v.tail);
	this->p = (struct fields *)alloca(sizeof (struct fields));
	this->p->c = 0xabcdef; this->p->b = 15; this->p->a = 7; this->p->b++;
	printf("%d %d %x %d\n", this->p->a, this->p->b, this->p->c, this->p->tail);
	exit(0);
}
