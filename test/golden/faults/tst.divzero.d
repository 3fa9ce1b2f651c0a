/*
 * ASSERTION: division by a run-time zero faults with code 4 and its clause leaves no record; the next clause runs.
 * SECTION: Faults and the ERROR probe
 */
#pragma D option quiet
int zero;
BEGIN { printf("no\n"); x = 1 / zero; }
BEGIN { printf("yes\n"); exit(0); }
ERROR { printf("fault %d\n", arg4); }
