/*
 * ASSERTION: a fault behind a commit does not undo it; one before it does not let it happen.
 * SECTION: Speculation
 * @@runtest-opts: -xnspec=3
 */
#pragma D option quiet
BEGIN { a = speculation(); b = speculation(); c = speculation(); }
BEGIN { speculate(a); printf("committed\n"); }
BEGIN { speculate(b); printf("still open\n"); }
BEGIN { speculate(c); printf("committed in a branch\n"); }
BEGIN { commit(a); discard(*(int *)0); }
BEGIN { x = *(int *)0; commit(b); }
BEGIN { if (pid != 0) { commit(c); } else { discard(c); } x = *(int *)0; }
ERROR { faults++; }
BEGIN { printf("%d faults\n", faults); }
BEGIN { commit(b); }
BEGIN { exit(0); }
