/*
 * ASSERTION: a program that reads members behind a tracepoint's argument can compute with that argument, as a number.
 * SECTION: sdt provider
 */
#pragma D option quiet

rawtp:::sched_switch
/args[1]->pid == tid && tid != 0/
{
	printf("%d %d %d\n", (uintptr_t)args[1] == (uintptr_t)curthread, args[1] != args[2],
	    ((struct task_struct *)(((uintptr_t)args[1] | 1) - 1))->pid == tid);
	exit(0);
}
