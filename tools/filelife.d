/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filelife.d: show files that are deleted soon after they were created, and how long they lived.
 *
 * Files are shown that were created by an open(2) while the tool ran, in whatever process, when unlink(2) has removed their last
 * name. The process is that which removes it. A file that another one is renamed to is not shown. This needs probes of the kernel's
 * functions (vfs_unlink); dtrace says so where there are none.
 *
 * filters: -p -n -c -g
 * column: PID, COMM | the process that deletes the file
 * column: AGE(s) | how long the file has existed, in seconds
 * column: FILE | its name
 * example: filelife.d | who makes temporary files
 * example: filelife.d -c 'make' | files of a build that are not left
 */

/* The file of a descriptor of the running process. */
inline struct file *file_of[int fd] = curthread->files->fdt->fd[fd];

/* FMODE_CREATED: the file was not there before. */
inline int is_new[int fd] = fd >= 0 && (uint_t)fd < curthread->files->fdt->max_fds && file_of[fd] != NULL &&
    file_of[fd]->f_mode & 0x100000;

uint64_t born[dev_t, uint64_t];	/* by device and number of the inode, in nanoseconds */
self struct inode *inode;

BEGIN
/heading/
{
	printf("%-7s %-15s %12s %s\n", "PID", "COMM", "AGE(s)", "FILE");
}

/* Patterns, since some machines have neither open nor creat. */
syscall::open*:return
/is_new[(int)arg1]/
{
	this->inode = file_of[(int)arg1]->f_inode;
	born[this->inode->i_sb->s_dev, this->inode->i_ino] = timestamp;
}

syscall::*creat*:return
/probefunc == "creat" && is_new[(int)arg1]/
{
	this->inode = file_of[(int)arg1]->f_inode;
	born[this->inode->i_sb->s_dev, this->inode->i_ino] = timestamp;
}

fbt:vmlinux:vfs_unlink:entry
/born[args[2]->d_inode->i_sb->s_dev, args[2]->d_inode->i_ino]/
{
	self->inode = args[2]->d_inode;
	self->born = born[self->inode->i_sb->s_dev, self->inode->i_ino];
	self->name = stringof(args[2]->d_name.name);
}

fbt:vmlinux:vfs_unlink:return
/self->born && (int)arg1 == 0 && self->inode->i_nlink == 0/
{
	born[self->inode->i_sb->s_dev, self->inode->i_ino] = 0;
	self->gone = 1;
}

fbt:vmlinux:vfs_unlink:return
/self->gone && selected/
{
	this->ms = (timestamp - self->born) / 1000000;
	printf("%-7d %-15s %8d.%03d %s\n", pid, execname, this->ms / 1000, this->ms % 1000, self->name);
}

fbt:vmlinux:vfs_unlink:return
{
	self->inode = NULL;
	self->born = 0;
	self->gone = 0;
	self->name = 0;
}
