/*
 * ASSERTION: Every expression form gives its own node.
 * SECTION: Types, Operators, and Expressions/Precedence
 */
BEGIN
{
	a = b + c * -d ? 'e' : 0x10ul;
	f <<= (int *)g->h.i[1, "k"];
	++j, k--;
	sizeof (struct s [3]) + sizeof l;
	stringof curthread->comm;
	offsetof(struct s, m) ^^ xlate <id_t *>(n)->o;
	@ = count();
	&`p;
	this->q = self->r;
}
