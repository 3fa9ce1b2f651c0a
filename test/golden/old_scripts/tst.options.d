#!/usr/sbin/dtrace -s
/* ASSERTION: the options that scripts of twenty years set. */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option bufsize=4m
#pragma D option aggsize=8m
#pragma D option dynvarsize=16m
#pragma D option strsize=512
#pragma D option switchrate=10hz
#pragma D option aggrate=1sec
#pragma D option cleanrate=50hz
#pragma D option nspec=4
#pragma D option specsize=1m
#pragma D option stackframes=5
#pragma D option ustackframes=10
#pragma D option jstackstrsize=1024
#pragma D option statusrate=1sec
#pragma D option bufresize=auto
#pragma D option destructive

dtrace:::BEGIN
{
	printf("%d [%s] %d\n", $1, $$2, sizeof (int));
	exit($1 ? $1 : 0);
}
