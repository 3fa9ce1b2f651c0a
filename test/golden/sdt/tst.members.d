/*
 * ASSERTION: What is read behind a tracepoint's argument is the kernel's, whether the program uses the pointer for that only or also
 *   as a number: the thread that leaves the CPU is the current one, with its number, process, memory and parent.
 * SECTION: Providers, 7
 */
#pragma D option quiet

rawtp:sched::sched_switch
{
	@wrong["pid"] = sum(args[1]->pid != tid);
	@wrong["tgid"] = sum(args[1]->tgid != curthread->tgid);
	@wrong["mm"] = sum((args[1]->mm == NULL) != (curthread->mm == NULL));
	@wrong["exec_start"] = sum(args[1]->se.exec_start != curthread->se.exec_start);
}
sdt:sched::sched_switch
{
	@wrong["address"] = sum((uintptr_t)args[1] != (uintptr_t)curthread);
	@wrong["pid, too"] = sum(args[1]->pid != tid);
	@wrong["parent"] = sum(args[1]->real_parent->tgid != curthread->real_parent->tgid);
}
tick-200ms
{
	exit(0);
}
END
{
	printa("%s %@d\n", @wrong);
}
