/*
 * ASSERTION: speculated rows print at commit and not after discard; speculation() gives 0 when all are in use.
 * SECTION: Speculation
 */
#pragma D option quiet
BEGIN { self->s = speculation(); self->none = speculation(); printf("%d %d\n", self->s, self->none); }
BEGIN { speculate(self->s); printf("speculated\n"); }
BEGIN { printf("before\n"); }
BEGIN { commit(self->s); }
BEGIN { printf("after\n"); exit(0); }
