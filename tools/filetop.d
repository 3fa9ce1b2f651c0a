/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filetop.d: show the files of which most is read and to which most is written.
 *
 * Bytes are those of system calls: what the page cache has counts as well. Regular files only.
 *
 * filters: -p -n -c -g -i
 * option: -m ROWS=20 | rows | show at most so many rows, those with the most bytes
 * column: PID, COMM | the process
 * column: OP | R: read, W: write
 * column: BYTES | how much
 * column: FILE | the file
 * example: filetop.d -i 1 | what is read and written most, second by second
 * example: filetop.d -c 'tar cf /dev/null /etc' | what a command reads
 */
#pragma D option aggsortrev

/* The file of a descriptor of the running process. */
inline struct file *file_of[int fd] = curthread->files->fdt->fd[fd];

syscall::read:entry,
syscall::readv:entry,
syscall::pread64:entry,
syscall::preadv:entry,
syscall::write:entry,
syscall::writev:entry,
syscall::pwrite64:entry,
syscall::pwritev:entry
/selected && (uint_t)arg0 < curthread->files->fdt->max_fds && file_of[(int)arg0] != NULL &&
    (file_of[(int)arg0]->f_inode->i_mode & 0170000) == 0100000/
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
	@bytes[pid, execname, strstr(probefunc, "read") != NULL ? "R" : "W", fds[self->fd - 1].fi_pathname] = sum(arg1);
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
	heading ? printf("%-7s %-15s %-2s %14s %s\n", "PID", "COMM", "OP", "BYTES", "FILE") : 0;
	printa("%-7d %-15s %-2s %@14d %s\n", @bytes);
	trunc(@bytes);
}
