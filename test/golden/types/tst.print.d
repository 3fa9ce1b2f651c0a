/*
 * ASSERTION: print() of a value shows its type and members, of a pointer the address and the object there
 *   without what is zero.
 *   Two in a row are on lines of their own.
 * SECTION: Output formats/print()
 */
#pragma D option quiet
struct s { int a; struct { char c; int arr[2]; } in; union { long l; } u; enum { QA, QB } e; string str; _Bool b;
    unsigned char uc; char *p; double d; unsigned bf : 3; } v;
struct req { int id; char tag[3]; enum kind { READ, WRITE } kind; struct { int q; } in; unsigned bf : 3; void *p; };
enum kind w; double d; float f;
BEGIN
{
	v.a = -1; v.in.c = 'z'; v.in.arr[1] = 5; v.u.l = 9; v.e = QB; v.str = "hey"; v.b = 1; v.uc = 200; v.bf = 6;
	print(v); printf("\n"); print(v.in); printf("\n");
	print(v.a); printf("|"); print(v.str); printf("|"); print(v.in.arr); printf("|"); print(v.b); printf("\n");
	w = WRITE; print(w); printf("|"); print(7); printf("|"); print('a'); printf("|"); print((char)'a'); printf("\n");
	print((char)0); printf("|"); print((char)200); printf("|"); print((short)-3); printf("|"); print((uint64_t)5); printf("\n");
	print("x"); printf("|"); print(curthread->comm); printf("|"); print(-1LL); printf("|"); print(d); printf("|"); print(f); printf("\n");
	this->r = (struct req *)alloca(sizeof (struct req));
	this->r->id = 1; this->r->tag[0] = 'o'; this->r->tag[1] = 'k'; this->r->kind = WRITE; this->r->bf = 5;
	print(1); print("two"); printf("\n");
	print(3); print(this->r); print(4); printf("\n");
	this->i = (int *)alloca(4); *this->i = 7; print(this->i);
	exit(0);
}
