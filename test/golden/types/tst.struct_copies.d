/*
 * ASSERTION: structs are values: assigned between variables of every scope, kept in associative arrays, compared member
 * by member, cleared by 0, used as keys.
 * SECTION: Types and expressions/Structs, unions, bit-fields, enums, arrays
 */
#pragma D option quiet
struct pt { int x; int y; char n[4]; string s; };
struct pt a, b; self struct pt t; this struct pt l; struct pt of[string];
struct key { int a; int b; } k1;
BEGIN
{
	a.x = 3; a.y = -4; a.n[0] = 'h'; a.n[1] = 'i'; a.s = "text";
	b = a; a.x = 100; self->t = b; this->l = self->t; of["k"] = this->l;
	printf("%d %d %s %s %d\n", of["k"].x, of["k"].y, stringof(of["k"].n), of["k"].s, of["none"].x);
	of["k"].x++; of["k"].y += 14; i = 1; of["k"].n[i] = 'o';
	printf("%d %d %s %d\n", of["k"].x, of["k"].y, stringof(of["k"].n), this->l.x);
	of["k"] = 0; self->t = 0; printf("%d [%s] %d\n", of["k"].x, of["k"].s, self->t.y);
	k1.a = 1; k1.b = 2; s[k1] = 9; k1.b = 3; printf("%d", s[k1]); k1.b = 2; printf(" %d\n", s[k1]);
	@[k1] = sum(4); k1.b = 3; @[k1] = sum(5); printa("%@d ", @);
	printf("\n");
	exit(0);
}
