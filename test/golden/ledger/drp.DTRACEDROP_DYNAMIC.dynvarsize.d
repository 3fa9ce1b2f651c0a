/*
 * ASSERTION: a store beyond dynvarsize is counted, and the element reads as 0.
 * SECTION: Drops
 */
#pragma D option quiet
#pragma D option dynvarsize=16k
int n;
tick-1ms
{
	x[n, 1] = 1; x[n, 2] = 1; x[n, 3] = 1; x[n, 4] = 1; x[n, 5] = 1; x[n, 6] = 1; x[n, 7] = 1; x[n, 8] = 1;
	x[n, 9] = 1; x[n, 10] = 1; x[n, 11] = 1; x[n, 12] = 1; x[n, 13] = 1; x[n, 14] = 1; x[n, 15] = 1; x[n, 16] = 1;
	n++;
}
tick-1ms /n > 300/ { exit(0); }
