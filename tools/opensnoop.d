/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opensnoop.d: show files as programs open them, and the opens that fail.
 *
 * One line for each call of open(2), openat(2), openat2(2) and creat(2), when the call returns. The path is the text
 * that the program passed: it is relative to the program's working directory or, for openat(2), to another one.
 *
 * filters: -p -n -c -g
 * option: -x | failed | show only calls that failed
 * option: -f TEXT | text | show only paths that contain this text
 * column: PID | the process
 * column: COMM | the name of the thread
 * column: FD | the descriptor, or -1
 * column: ERROR | why the call failed, or 0
 * column: PATH | the file
 * example: opensnoop.d -x -n nginx | files that nginx cannot open
 * example: opensnoop.d -c 'man ls' | files that a command and its children open
 */

/* Some machines have only the calls whose names end in "at". */
#pragma D option zdefs

BEGIN
/heading/
{
	printf("%-7s %-15s %4s %-12s %s\n", "PID", "COMM", "FD", "ERROR", "PATH");
}

syscall::open:entry,
syscall::creat:entry
/selected/
{
	self->path = arg0;
}

syscall::openat:entry,
syscall::openat2:entry
/selected/
{
	self->path = arg1;
}

/* The path is read at the return: at the entry its page need not be in memory yet. */
syscall::open:return,
syscall::creat:return,
syscall::openat:return,
syscall::openat2:return
/self->path && (!failed || errno) && (!has_text || strstr(copyinstr(self->path), text) != NULL)/
{
	printf("%-7d %-15s %4d %-12s %s\n", pid, execname, (int)arg0, errno_name[errno], copyinstr(self->path));
}

syscall::open:return,
syscall::creat:return,
syscall::openat:return,
syscall::openat2:return
{
	self->path = 0;
}
