#!/usr/sbin/dtrace -s
/* ASSERTION: dtrace:::ERROR has the number of the failing enabling, the action, the offset, the fault and the address. */
#pragma D option quiet

dtrace:::BEGIN
{
	errors = 0;
	*(char *)NULL;
}

dtrace:::ERROR
{
	errors++;
	printf("fault %d at %x\n", arg4, arg5);
	exit(errors == 1 ? 0 : 9);
}
