/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rwtop.d: show which processes read and write most, to whatever: files, pipes, sockets, terminals.
 *
 * filters: -p -n -c -g -i
 * option: -m ROWS=20 | rows | show at most so many rows, those with the most bytes
 * column: PID, COMM | the process
 * column: OP | R: read, W: write
 * column: KIND | what is read or written: the type of the file system, pipefs and sockfs among them
 * column: BYTES | how much
 * example: rwtop.d -i 1 | who reads and writes most, second by second
 * example: rwtop.d -c 'tar czf /dev/null /etc' | what a command and its children do
 */
#pragma D option aggsortrev

syscall::read:entry,
syscall::readv:entry,
syscall::pread64:entry,
syscall::preadv:entry,
syscall::write:entry,
syscall::writev:entry,
syscall::pwrite64:entry,
syscall::pwritev:entry
/selected/
{
	self->fd = (int)arg0 + 1;
}

syscall::read:return,
syscall::readv:return,
syscall::pread64:return,
syscall::preadv:return,
syscall::write:return,
syscall::writev:return,
syscall::pwrite64:return,
syscall::pwritev:return
/self->fd && arg1 > 0/
{
	@bytes[pid, execname, strstr(probefunc, "read") != NULL ? "R" : "W", fds[self->fd - 1].fi_fs] = sum(arg1);
}

syscall::read:return,
syscall::readv:return,
syscall::pread64:return,
syscall::preadv:return,
syscall::write:return,
syscall::writev:return,
syscall::pwrite64:return,
syscall::pwritev:return
{
	self->fd = 0;
}

tick-1s, END
/due/
{
	trunc(@bytes, rows);
	heading ? printf("%-7s %-15s %-2s %-12s %14s\n", "PID", "COMM", "OP", "KIND", "BYTES") : 0;
	printa("%-7d %-15s %-2s %-12s %@14d\n", @bytes);
	trunc(@bytes);
}
