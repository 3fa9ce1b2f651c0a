/* SPDX-License-Identifier: Apache-2.0 */
/*
 * killsnoop.d: show the signals that programs send.
 *
 * One line for each kill(2), tkill(2), tgkill(2) and rt_sigqueueinfo(2), when the call returns. Signals of the kernel
 * itself are not among them: the probe proc:::signal-send has those too.
 *
 * filters: -p -n -c -g
 * option: -s SIGNAL=0 | signal | show only this signal, a number or a name, as in TERM
 * option: -x | failed | show only calls that failed
 * column: PID, COMM | the process that sends
 * column: SIGNAL | the signal; 0 tests whether the target exists
 * column: TARGET | the process or thread that gets it; a negative number is a process group, -1 every process
 * column: ERROR | why the call failed, or 0
 * example: killsnoop.d -s 9 | who kills
 * example: killsnoop.d -c 'service nginx reload' | the signals of a command and its children
 */
BEGIN
/heading/
{
	printf("%-7s %-15s %-10s %8s %s\n", "PID", "COMM", "SIGNAL", "TARGET", "ERROR");
}

syscall::kill:entry,
syscall::tkill:entry,
syscall::rt_sigqueueinfo:entry
/selected && (!signal || (int)arg1 == signal)/
{
	self->target = (int)arg0;
	self->number = (int)arg1;
	self->sends = 1;
}

syscall::tgkill:entry
/selected && (!signal || (int)arg2 == signal)/
{
	self->target = (int)arg1;
	self->number = (int)arg2;
	self->sends = 1;
}

syscall::kill:return,
syscall::tkill:return,
syscall::tgkill:return,
syscall::rt_sigqueueinfo:return
/self->sends && (!failed || errno)/
{
	printf("%-7d %-15s %-10s %8d %s\n", pid, execname, signal_name[self->number], (int)self->target, errno_name[errno]);
}

syscall::kill:return,
syscall::tkill:return,
syscall::tgkill:return,
syscall::rt_sigqueueinfo:return
{
	self->target = 0;
	self->number = 0;
	self->sends = 0;
}
