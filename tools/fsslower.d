/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fsslower.d: show reads, writes, opens and syncs of files that take long, by the type of file system.
 *
 * The time is that of the system call: from the program's view, with the file system, its locks and the disk. Regular files only.
 * Opens that fail, and accesses to mapped memory, are not shown.
 *
 * filters: -p -n -c -g
 * option: -f FS | fs | show only this type of file system, as in ext4, xfs, btrfs, nfs4 or tmpfs
 * option: -m MS=10 | min_ms | show calls that took at least so many milliseconds
 * column: PID, COMM | the process
 * column: FS | the type of the file system
 * column: OP | R: read, W: write, O: open, S: fsync or fdatasync
 * column: BYTES | how much was read or written; -1 if the call failed; 0 for opens and syncs
 * column: OFF(kB) | the position in the file, in units of 1024 bytes
 * column: LAT(us) | how long the call took, in microseconds
 * column: FILE | the file
 * example: fsslower.d -f ext4 | what takes 10 ms or more on ext4
 * example: fsslower.d -f nfs4 -m 1 -n make | what a build waits for on NFS
 */

/* Some machines have only the calls whose names end in "at". */
#pragma D option zdefs

/* The file of a descriptor of the running process. */
inline struct file *file_of[int fd] = curthread->files->fdt->fd[fd];
inline int is_regular[int fd] = (uint_t)fd < curthread->files->fdt->max_fds && file_of[fd] != NULL &&
    (file_of[fd]->f_inode->i_mode & 0170000) == 0100000;
inline int is_chosen[int fd] = !has_fs || stringof(file_of[fd]->f_inode->i_sb->s_type->name) == fs;

BEGIN
/heading/
{
	printf("%-7s %-15s %-8s %-2s %11s %12s %9s %s\n", "PID", "COMM", "FS", "OP", "BYTES", "OFF(kB)", "LAT(us)", "FILE");
}

syscall::read:entry,
syscall::readv:entry,
syscall::write:entry,
syscall::writev:entry
/selected && is_regular[(int)arg0] && is_chosen[(int)arg0]/
{
	self->fd = (int)arg0;
	self->at = file_of[(int)arg0]->f_pos;
	self->entered = timestamp;
}

syscall::pread64:entry,
syscall::preadv:entry,
syscall::preadv2:entry,
syscall::pwrite64:entry,
syscall::pwritev:entry,
syscall::pwritev2:entry
/selected && is_regular[(int)arg0] && is_chosen[(int)arg0]/
{
	self->fd = (int)arg0;
	self->at = arg3 == -1 ? file_of[(int)arg0]->f_pos : arg3;
	self->entered = timestamp;
}

syscall::fsync:entry,
syscall::fdatasync:entry
/selected && is_regular[(int)arg0] && is_chosen[(int)arg0]/
{
	self->fd = (int)arg0;
	self->at = 0;
	self->entered = timestamp;
}

syscall::open:entry,
syscall::openat:entry,
syscall::openat2:entry,
syscall::creat:entry
/selected/
{
	self->entered = timestamp;
}

syscall::read:return,
syscall::readv:return,
syscall::write:return,
syscall::writev:return,
syscall::pread64:return,
syscall::preadv:return,
syscall::preadv2:return,
syscall::pwrite64:return,
syscall::pwritev:return,
syscall::pwritev2:return,
syscall::fsync:return,
syscall::fdatasync:return
/self->entered && (timestamp - self->entered) / 1000000 >= min_ms/
{
	printf("%-7d %-15s %-8s %-2s %11d %12d %9d %s\n", pid, execname, fds[self->fd].fi_fs,
	    strstr(probefunc, "read") != NULL ? "R" : strstr(probefunc, "write") != NULL ? "W" : "S", arg1, self->at / 1024,
	    (timestamp - self->entered) / 1000, fds[self->fd].fi_pathname);
}

syscall::open:return,
syscall::openat:return,
syscall::openat2:return,
syscall::creat:return
/self->entered && arg1 >= 0 && (timestamp - self->entered) / 1000000 >= min_ms && is_regular[(int)arg1] && is_chosen[(int)arg1]/
{
	printf("%-7d %-15s %-8s %-2s %11d %12d %9d %s\n", pid, execname, fds[(int)arg1].fi_fs, "O", 0, 0,
	    (timestamp - self->entered) / 1000, fds[(int)arg1].fi_pathname);
}

syscall::read:return,
syscall::readv:return,
syscall::write:return,
syscall::writev:return,
syscall::pread64:return,
syscall::preadv:return,
syscall::preadv2:return,
syscall::pwrite64:return,
syscall::pwritev:return,
syscall::pwritev2:return,
syscall::fsync:return,
syscall::fdatasync:return,
syscall::open:return,
syscall::openat:return,
syscall::openat2:return,
syscall::creat:return
{
	self->entered = 0;
}
