/*
 * ASSERTION: exit() from BEGIN runs END, prints one newline at the end and nothing else when quiet.
 * SECTION: Command line/Exit
 */
#pragma D option quiet
BEGIN { printf("hi %d\n", 42); exit(0); }
END { printf("bye\n"); }
