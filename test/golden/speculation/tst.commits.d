/*
 * ASSERTION: a clause may commit several speculations; each is printed at its commit, and ids without rows are harmless.
 * SECTION: Speculative Tracing
 * @@runtest-opts: -xnspec=3
 */
#pragma D option quiet
BEGIN { a = speculation(); b = speculation(); c = speculation(); }
BEGIN { speculate(b); printf("b\n"); }
BEGIN { speculate(a); printf("a\n"); }
BEGIN { speculate(c); printf("never\n"); }
BEGIN { commit(a); commit(0); commit(b); discard(c); commit(c); commit(a); }
BEGIN { printf("after\n"); exit(0); }
