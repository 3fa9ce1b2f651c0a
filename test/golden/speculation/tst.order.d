/*
 * ASSERTION: rows of a speculation appear when it is committed, in their order; other ids are untouched; commit, discard
 * and speculate with an id that is 0 or idle do nothing; commit and discard with one out of range are illegal.
 * SECTION: Stability, faults, drops, speculation, clause semantics/Speculation
 */
#pragma D option quiet
#pragma D option nspec=3
BEGIN { a = speculation(); b = speculation(); c = speculation(); printf("%d %d %d\n", a, b, c); }
BEGIN { speculate(b); printf("b1 "); x = 5; printf("%d %s\n", x, probename); }
BEGIN { speculate(a); printf("a1\n"); }
BEGIN { speculate(b); printf("b2\n"); }
BEGIN { speculate(c); printf("never\n"); }
BEGIN { printf("before\n"); }
BEGIN { commit(b); }
BEGIN { commit(b); }
BEGIN { speculate(b); printf("never\n"); }
BEGIN { discard(c); }
BEGIN { commit(c); }
BEGIN { printf("between\n"); }
BEGIN { commit(a); discard(a); }
BEGIN { speculate(0); printf("never\n"); }
BEGIN { speculate(-1); printf("never\n"); }
BEGIN { speculate(99); printf("never\n"); }
BEGIN { commit(0); }
BEGIN { commit(-7); }
BEGIN { discard(99); }
BEGIN { z = 0; }
BEGIN { printf("x %d\n", x); exit(0); }
