#!/usr/sbin/dtrace -s
/*
 * ASSERTION: Descriptions, ids, predicates and bodies keep their order and positions; the last semicolon may be left out.
 * SECTION: Program Structure/Clauses
 */
#pragma D option quiet

syscall::read:entry,
syscall::*write*:entry, 12
/execname == "dd" && pid != 77   / 1/
{
	self->start = timestamp;
	@bytes[execname, probefunc] = sum(arg2)
}

tick-1s { }

dtrace:::END
{
	if (x) {
		y = 1;
	} else if (z)
		printf("%d\n", z);
	else
		;
	exit(0);
}
