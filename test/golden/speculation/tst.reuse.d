/*
 * ASSERTION: what is committed or discarded is free at once: a script with one speculation, which is the default, can go
 * from one to the next. An id names one use only; the ids of earlier uses do nothing.
 * SECTION: Stability, faults, drops, speculation, clause semantics/Speculation
 */
#pragma D option quiet
BEGIN { a = speculation(); printf("%d\n", a); }
BEGIN { speculate(a); printf("never\n"); }
BEGIN { discard(a); b = speculation(); printf("%d\n", b > 0 && b != a); }
BEGIN { speculate(a); printf("never\n"); }
BEGIN { speculate(b); printf("b\n"); }
BEGIN { commit(a); }
BEGIN { printf("before b\n"); }
BEGIN { commit(b); c = speculation(); }
BEGIN { discard(b); }
BEGIN { speculate(c); printf("c\n"); }
BEGIN { none = speculation(); printf("before c %d\n", none); }
BEGIN { commit(c); }
BEGIN { printf("%d\n", c > 0 && c != b && c != a); exit(0); }
