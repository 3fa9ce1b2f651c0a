/* ASSERTION: pr_psargs of a kernel thread, which has no arguments, is its name.
 * SECTION: Variables/Built-in variables      @@timeout: 60 */
#pragma D option quiet

sched:::on-cpu
/curthread->mm == NULL && (curthread->flags & 0x200000) != 0/
{
	printf("%d %d\n", curpsinfo->pr_psargs == stringof(curthread->comm), strlen(curpsinfo->pr_psargs) > 0);
	exit(0);
}
