/*
 * ASSERTION: a fault in an ERROR clause fires nothing, and is counted.
 * SECTION: Faults and the ERROR probe
 */
#pragma D option quiet
BEGIN { x = *(int *)0; }
ERROR { x = *(int *)8; }
ERROR { exit(0); }
