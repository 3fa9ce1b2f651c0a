/*
 * ASSERTION: what does not fit a speculative buffer takes nothing of it: a smaller record that follows still fits.
 * SECTION: Speculation
 */
#pragma D option quiet
#pragma D option strsize=150
#pragma D option specsize=400
BEGIN { s = speculation(); a = strjoin("a", "b"); }
BEGIN { speculate(s); printf("first %s\n", a); }
BEGIN { speculate(s); printf("refused %s %s\n", a, a); }
BEGIN { speculate(s); printf("refused %s %s\n", a, a); }
BEGIN { speculate(s); printf("second %s\n", a); }
BEGIN { commit(s); }
BEGIN { exit(0); }
