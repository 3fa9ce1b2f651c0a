/*
 * ASSERTION: pointer arithmetic is in elements; pointers into scratch memory are read and written through any type;
 * pointers to structs are followed; strings are pointers to their characters.
 * SECTION: Types and expressions/Pointers and memory spaces
 */
#pragma D option quiet
struct node { struct node *next; int v; };
BEGIN
{
	this->p = (int *)alloca(40);
	this->p[0] = 1; this->p[3] = 7; *(this->p + 1) = 5;
	this->q = this->p + 3;
	printf("%d %d %d %d\n", *this->q, this->q - this->p, *(1 + this->p), this->q[-3]);
	this->q--; --this->q; printf("%d", *this->q);
	this->q += 2; printf(" %d %d %d\n", *this->q++, this->q - this->p, this->q > this->p);
	this->h = (uint16_t *)alloca(16);
	this->h[1] = 0xabcd;
	printf("%x %x\n", *((unsigned char *)this->h + 2), ((uint8_t *)(this->h + 1))[1]);
	printf("%d %d\n", (char *)(this->h + 3) - (char *)this->h, (long)(this->h + 1) - (long)this->h);
	this->a = (struct node *)alloca(sizeof (struct node));
	this->b = (struct node *)alloca(sizeof (struct node));
	this->a->next = this->b; this->b->v = 42; this->a->v = this->a->next->v++;
	(*this->b).v *= 2;
	printf("%d %d %d\n", this->a->v, this->a->next->v, this->a->next->next == NULL);
	*this->a = *this->b; printf("%d %d\n", this->a->v, this->a->next == NULL);
	s = "hello";
	printf("%c %c %c %s %d\n", s[1], *s, *(s + 4), stringof(s + 2), s[5]);
	printf("%c%c %s\n", curthread->comm[0], *(curthread->comm + 1), stringof(&curthread->comm[2]));
	printf("%d %d\n", (long)&((struct node *)0)->v, &((struct node *)64)->v == (int *)72);
	exit(0);
}
