#!/usr/sbin/dtrace -s
/* ASSERTION: a report by tick that repeats its header every few lines, with a countdown in a global. */
#pragma D option quiet

inline int LINES = 2;

dtrace:::BEGIN
{
	lines = LINES + 1;
	row = 0;
	printf("Tracing... Hit Ctrl-C to end\n");
}

profile:::tick-5ms
/lines > LINES/
{
	printf("%6s %6s\n", "ROW", "SQUARE");
	lines = 0;
}

profile:::tick-5ms
/row < 5/
{
	row++;
	lines++;
	printf("%6d %6d\n", row, row * row);
	lines = lines == LINES ? LINES + 1 : lines;
}

profile:::tick-5ms
/row == 5/
{
	exit(0);
}
