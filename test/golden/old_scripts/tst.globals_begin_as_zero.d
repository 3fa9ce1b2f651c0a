#!/usr/sbin/dtrace -s
/* ASSERTION: declared globals begin as 0 or "", and undeclared ones that are counted up.	@@trigger: syscalls 5 */
#pragma D option quiet

int calls;
uint64_t bytes;
string last;
int seen[string];

syscall::lseek:entry
/pid == $target && calls == 0/
{
	first = arg1;
	printf("first offset %d, last \"%s\", seen %d\n", first, last, seen["lseek"]);
}

syscall::lseek:entry
/pid == $target/
{
	calls++;
	bytes += arg1;
	last = probefunc;
	seen[probefunc]++;
	others += 2;
}

dtrace:::END
{
	printf("%d calls, %d bytes, last %s, seen %d, others %d\n", calls, bytes, last, seen["lseek"], others);
}
