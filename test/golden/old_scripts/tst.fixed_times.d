#!/usr/sbin/dtrace -qs
/* ASSERTION: %Y and %T of a time, times cut to seconds and milliseconds, and the clocks that go on.	@@runtest-opts: -q */

dtrace:::BEGIN
{
	this->t = 1136214245999999999;
	printf("%Y\n", this->t);
	printf("%d.%03d\n", this->t / 1000000000, (this->t % 1000000000) / 1000000);
	printf("%d %d\n", timestamp > 0, walltimestamp > this->t);
	printf("%d\n", vtimestamp >= 0);
	start = timestamp;
}

profile:::tick-2ms
{
	printf("%d\n", (timestamp - start) / 1000 > 0);
	exit(0);
}
