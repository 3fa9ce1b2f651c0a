#!/usr/sbin/dtrace -s
/* ASSERTION: pid$target probes with a.out as the module, entries, returns and offsets. @@trigger: calls 3 */
#pragma D option quiet

pid$target:a.out:main:entry
{
	self->in = 1;
	printf("-> %s\n", probefunc);
}

pid$target:a.out:main:return
/self->in/
{
	printf("<- %s %d\n", probefunc, (int)arg1);
	self->in = 0;
}

pid$target:a.out:*:entry
/self->in && probefunc != "main"/
{
	@calls[probefunc] = count();
}

dtrace:::END { printa("%s %@d\n", @calls); }
