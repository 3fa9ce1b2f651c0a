/*
 * ASSERTION: only what alloca() and copyin() gave can be written to, up to the end of the last block; blocks of 0 bytes take
 *   none; a block's bytes end as a string; sizes that are not constant may be copied anywhere in a block; alloca() gives
 *   scratchsize bytes in a clause, copyin() more.
 * SECTION: Actions and Subroutines/alloca()
 */
#pragma D option quiet
BEGIN { n = 8; p = (char *)alloca(16); bcopy("abcdefgh", p + 3, n); printf("[%s] [%s]\n", stringof(p + 3), stringof(p)); }
BEGIN { this->p = (char *)alloca(8); bcopy("abcdefgh", this->p, 8); printf("[%s]\n", (string)this->p); }
BEGIN { this->p = (char *)alloca(8); printf("1 "); bcopy("abcdefghi", this->p, 9); printf("beyond a block\n"); }
BEGIN { n = 9; this->p = (char *)alloca(8); printf("2 "); bcopy("abcdefghi", this->p, n); printf("beyond a block\n"); }
BEGIN { this->p = (char *)alloca(8); printf("3 "); this->p[8] = 'x'; printf("beyond a block\n"); }
BEGIN { this->p = (char *)alloca(8); printf("4 "); this->p[-1] = 'x'; printf("before a block\n"); }
BEGIN { this->l = (long *)alloca(12); this->l[0] = 1; printf("5 "); this->l[1] = 1; printf("half of it beyond a block\n"); }
BEGIN { this->p = (char *)alloca(0); printf("6 "); *this->p = 'x'; printf("a block of no bytes\n"); }
BEGIN { this->p = (char *)alloca(200); this->q = (char *)alloca(56); this->q[55] = 'x'; printf("scratchsize can be used up\n"); }
BEGIN { printf("7 "); this->p = (char *)alloca(200); this->q = (char *)alloca(57); printf("beyond scratchsize\n"); }
BEGIN { n = 200; printf("8 "); this->p = (char *)alloca(n); this->q = (char *)alloca(n); printf("beyond scratchsize\n"); }
BEGIN { n = -1; printf("9 "); this->p = (char *)alloca(n); printf("a negative size\n"); }
BEGIN { printf("10 "); *(int *)p = 1; printf("a block of an earlier clause\n"); }
BEGIN { this->s = "text"; printf("11 "); this->q = (char *)this->s; bcopy("abc", this->q, 3); printf("a string variable\n"); }
ERROR { printf("fault %d\n", arg4); }
BEGIN { n = 0; printf("no room %d %d\n", alloca(0) == alloca(0), alloca(n) == alloca(8)); exit(0); }
