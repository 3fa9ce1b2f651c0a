/* SPDX-License-Identifier: Apache-2.0 */
/*
 * offcputime.d: show where threads wait: the stacks with which they leave a CPU, and how long they are away.
 *
 * The stack of the kernel comes first, then that of the program. Before Linux 6.15 this needs kprobes.
 *
 * filters: -p -n -c -g -i
 * option: -m ROWS=20 | rows | show at most so many stacks, those with the most time
 * option: -U | user_only | show the stacks of programs only
 * option: -a US=1 | min_us | leave out what is shorter than so many microseconds
 * column: COMM | the name of the thread, after its stacks
 * column: US | the time in microseconds, of all threads with that name and these stacks
 * example: offcputime.d -p 1234 -t 10 | where a process waits
 * example: offcputime.d -U -c 'make' | where a command waits, in its own code
 */
#pragma D option aggsortrev

sched:::off-cpu
/pid && selected/
{
	self->left = timestamp;
	self->user = ustack();
}

sched:::off-cpu
/!user_only && self->left/
{
	self->kernel = stack();
}

sched:::on-cpu
/!user_only && self->left && (timestamp - self->left) / 1000 >= min_us/
{
	@away[self->kernel, self->user, execname] = sum((timestamp - self->left) / 1000);
}

sched:::on-cpu
/user_only && self->left && (timestamp - self->left) / 1000 >= min_us/
{
	@waited[self->user, execname] = sum((timestamp - self->left) / 1000);
}

sched:::on-cpu
{
	self->left = 0;
	self->kernel = 0;
	self->user = 0;
}

tick-1s, END
/due/
{
	trunc(@away, rows);
	trunc(@waited, rows);
	printa("%k%k%16s%20@d us\n\n", @away);
	printa("%k%16s%20@d us\n\n", @waited);
	trunc(@away);
	trunc(@waited);
}
