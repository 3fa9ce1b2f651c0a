/*
 * ASSERTION: after speculate() of an id that is not active the rest of the clause is skipped; 0 is harmless everywhere, and so
 *   is an id whose speculation is over; ids that speculation() never gives are illegal operations; what is committed in
 *   BEGIN is printed.
 * SECTION: Speculative Tracing
 * @@runtest-opts: -xnspec=4
 */
#pragma D option quiet
BEGIN { speculate(0); printf("not recorded\n"); a = 1; }
BEGIN { b = 1; speculate(0); b = 2; }
BEGIN { commit(0); discard(0); c = 1; }
BEGIN { printf("%d %d %d\n", a, b, c); }
BEGIN { d = 1; speculate(99); d = 2; }
BEGIN { speculate(99); printf("not recorded\n"); d = 2; }
BEGIN { speculate(-1); printf("not recorded\n"); d = 2; }
BEGIN { commit(99); d += 10; }
BEGIN { discard(99); d += 10; }
BEGIN { discard(-1); d += 10; }
BEGIN { discard(5); d += 10; }
ERROR { faults++; illegal += arg4 == 3; }
BEGIN { printf("%d: %d faults, %d illegal operations\n", d, faults, illegal); }
BEGIN { spec = speculation(); }
BEGIN { speculate(spec); printf("committed in BEGIN\n"); }
BEGIN { commit(spec); }
BEGIN { speculate(spec); printf("over\n"); e = 1; }
BEGIN { commit(spec); discard(spec); f = 1; }
BEGIN { printf("%d %d %d\n", e, f, faults); exit(0); }
