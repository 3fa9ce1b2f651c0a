#!/usr/sbin/dtrace -s
/* ASSERTION: without quiet a line for each firing, with what trace() records.	@@runtest-opts: -xcpu=0 */
dtrace:::BEGIN
{
	trace("begins");
	trace(1234);
}

dtrace:::BEGIN
{
	exit(0);
}
