/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fileslower.d: show reads and writes of files that take long.
 *
 * The time is that of the system call: of a read, mostly the wait for the disk; of a write to the page cache, the wait
 * for memory or for the disk that is behind. Regular files only.
 *
 * filters: -p -n -c -g
 * option: -m MS=10 | min_ms | show calls that took at least so many milliseconds
 * column: PID, COMM | the process
 * column: CALL | the system call
 * column: BYTES | how much was read or written, or -1
 * column: LAT(us) | how long the call took, in microseconds
 * column: FILE | the file
 * example: fileslower.d | what takes 10 ms or more
 * example: fileslower.d -m 0 -n mariadbd | all reads and writes of a database
 */

/* The file of a descriptor of the running process. */
inline struct file *file_of[int fd] = curthread->files->fdt->fd[fd];

BEGIN
/heading/
{
	printf("%-7s %-15s %-9s %11s %9s %s\n", "PID", "COMM", "CALL", "BYTES", "LAT(us)", "FILE");
}

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
	self->entered = timestamp;
	self->fd = (int)arg0;
}

syscall::read:return,
syscall::readv:return,
syscall::pread64:return,
syscall::preadv:return,
syscall::write:return,
syscall::writev:return,
syscall::pwrite64:return,
syscall::pwritev:return
/self->entered && (timestamp - self->entered) / 1000000 >= min_ms/
{
	printf("%-7d %-15s %-9s %11d %9d %s\n", pid, execname, probefunc, arg1, (timestamp - self->entered) / 1000,
	    fds[self->fd].fi_pathname);
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
	self->entered = 0;
}
