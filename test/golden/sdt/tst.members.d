/*
 * ASSERTION: What is read behind a tracepoint's argument is the kernel's, whether the program uses the pointer for that only or also
 *   as a number: the thread that leaves the CPU is the current one, with its number, process, memory and parent.
 *   (The aggregations have no keys: a key is refused in a switch that interrupts the table's own update.)
 * SECTION: Providers, 7
 */
#pragma D option quiet

rawtp:sched::sched_switch
{
	@pid = sum(args[1]->pid != tid);
	@tgid = sum(args[1]->tgid != curthread->tgid);
	@mm = sum((args[1]->mm == NULL) != (curthread->mm == NULL));
	@exec_start = sum(args[1]->se.exec_start != curthread->se.exec_start);
}
sdt:sched::sched_switch
{
	@address = sum((uintptr_t)args[1] != (uintptr_t)curthread);
	@pid_too = sum(args[1]->pid != tid);
	@parent = sum(args[1]->real_parent->tgid != curthread->real_parent->tgid);
}
tick-200ms
{
	exit(0);
}
END
{
	printa("address %@d\n", @address);
	printa("exec_start %@d\n", @exec_start);
	printa("mm %@d\n", @mm);
	printa("parent %@d\n", @parent);
	printa("pid %@d\n", @pid);
	printa("pid, too %@d\n", @pid_too);
	printa("tgid %@d\n", @tgid);
}
