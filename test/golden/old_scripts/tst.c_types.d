#!/usr/sbin/dtrace -qs
/* ASSERTION: typedefs, structs, unions, enums, casts, sizeof, offsetof, pointers and arrays as in C headers.	@@runtest-opts: -q */

typedef unsigned long ulong_type;
struct point { int x; int y; };
union number { int whole; char bytes[4]; };
enum colour { RED, GREEN = 5, BLUE };
struct line { struct point from, to; enum colour c; };

dtrace:::BEGIN
{
	this->l = (struct line *)alloca(sizeof (struct line));
	this->l->from.x = -2;
	this->l->to.y = 9;
	this->l->c = BLUE;
	printf("%d %d %d\n", this->l->from.x, this->l->to.y, this->l->c);
	printf("%d %d %d\n", sizeof (struct line), offsetof(struct line, to), sizeof (ulong_type));
	this->u = (union number *)alloca(4);
	this->u->whole = 0x01020304;
	printf("%d %d\n", this->u->bytes[0], this->u->bytes[3]);
	printf("%d %u %d\n", (char)300, (unsigned char)-1, (int)GREEN);
	printf("%d\n", ((struct point *)&this->l->to)->y);
	exit(0);
}
