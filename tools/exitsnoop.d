/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exitsnoop.d: show processes as they end: how long they lived, and the status or signal with which they ended.
 *
 * One line for each process, when its last thread ends; with -T, one for each thread. execve(2) does not end a process, so the
 * age counts from its fork. If a process ends as a whole, each of its threads has the status or the signal of the process.
 *
 * filters: -p -n -c -g
 * option: -x | failed | show only what ends by a signal, or with a status other than 0
 * option: -T | threads | show threads
 * column: PID, PPID | the process and its parent
 * column: TID | the thread that ends; without -T, the last one of the process
 * column: COMM | the name of this thread
 * column: AGE(s) | how long the process, or with -T the thread, has lived, in seconds
 * column: STATUS | the exit status; - if a signal ended it
 * column: SIGNAL | the signal that ended it, or 0
 * column: CORE | yes if the kernel dumped its memory
 * example: exitsnoop.d -x | what fails, and how
 * example: exitsnoop.d -c 'make -j8' | the processes of a build: how long each took and how it ended
 */

/* As wait(2) has it. A process that does not end as a whole ends with what its first thread has said. */
inline int all_end = curthread->signal->flags & 4;
inline int of_process = all_end ? curthread->signal->group_exit_code : curthread->group_leader->exit_code;
inline int of_thread = all_end ? curthread->signal->group_exit_code : curthread->exit_code;

BEGIN
/heading/
{
	printf("%-7s %-7s %-7s %-15s %12s %6s %-10s %s\n", "PID", "PPID", "TID", "COMM", "AGE(s)", "STATUS", "SIGNAL", "CORE");
}

proc:::exit
/!threads && selected && (!failed || of_process)/
{
	this->how = of_process;
	this->ms = (timestamp - curthread->group_leader->start_time) / 1000000;
	printf("%-7d %-7d %-7d %-15s %8d.%03d %6s %-10s %s\n", pid, ppid, tid, execname, this->ms / 1000, this->ms % 1000,
	    this->how & 0x7f ? "-" : lltostr(this->how >> 8), signal_name[this->how & 0x7f], this->how & 0x80 ? "yes" : "no");
}

proc:::lwp-exit
/threads && selected && (!failed || of_thread)/
{
	this->how = of_thread;
	this->ms = (timestamp - curthread->start_time) / 1000000;
	printf("%-7d %-7d %-7d %-15s %8d.%03d %6s %-10s %s\n", pid, ppid, tid, execname, this->ms / 1000, this->ms % 1000,
	    this->how & 0x7f ? "-" : lltostr(this->how >> 8), signal_name[this->how & 0x7f], this->how & 0x80 ? "yes" : "no");
}
