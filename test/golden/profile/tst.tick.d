/*
 * ASSERTION: tick-100ms fires in order on one CPU; exit(0) ends tracing.
 * SECTION: profile provider
 */
#pragma D option quiet
tick-100ms { n++; printf("%d\n", n); }
tick-100ms /n == 3/ { exit(0); }
