/* SPDX-License-Identifier: Apache-2.0 */
/*
 * statsnoop.d: show files whose attributes programs ask for, and the calls that fail.
 *
 * One line for each stat(2), lstat(2), fstatat(2) and statx(2) with a path, and access(2) and faccessat(2), when the
 * call returns.
 *
 * filters: -p -n -c -g
 * option: -x | failed | show only calls that failed
 * column: PID, COMM | the process
 * column: CALL | the system call
 * column: ERROR | why it failed, or 0
 * column: PATH | the file, as the program passed it
 * example: statsnoop.d -x | files that are looked for and are not there
 * example: statsnoop.d -c 'git status' | what a command asks for
 */

/* Some machines have only the calls whose names end in "at". */
#pragma D option zdefs

BEGIN
/heading/
{
	printf("%-7s %-15s %-12s %-12s %s\n", "PID", "COMM", "CALL", "ERROR", "PATH");
}

syscall::stat:entry,
syscall::lstat:entry,
syscall::access:entry
/selected/
{
	self->path = arg0;
}

syscall::newfstatat:entry,
syscall::statx:entry,
syscall::faccessat:entry,
syscall::faccessat2:entry
/selected/
{
	self->path = arg1;
}

/* An empty path asks for the descriptor itself. */
syscall::stat:return,
syscall::lstat:return,
syscall::access:return,
syscall::newfstatat:return,
syscall::statx:return,
syscall::faccessat:return,
syscall::faccessat2:return
/self->path && (!failed || errno) && copyinstr(self->path) != ""/
{
	printf("%-7d %-15s %-12s %-12s %s\n", pid, execname, probefunc, errno_name[errno], copyinstr(self->path));
}

syscall::stat:return,
syscall::lstat:return,
syscall::access:return,
syscall::newfstatat:return,
syscall::statx:return,
syscall::faccessat:return,
syscall::faccessat2:return
{
	self->path = 0;
}
