/*
 * ASSERTION: what does not fit a speculative buffer is counted.
 * SECTION: Speculation
 */
#pragma D option quiet
#pragma D option specsize=4k
int n;
BEGIN { spec = speculation(); }
tick-1ms { speculate(spec); tracemem(curthread, 2048); tracemem(curthread, 2048); }
tick-1ms /n++ > 20/ { exit(0); }
