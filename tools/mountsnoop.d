/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mountsnoop.d: show the calls that mount and unmount file systems.
 *
 * These are mount(2), umount2(2) and pivot_root(2), and the newer fsopen(2), fspick(2), fsconfig(2), fsmount(2), move_mount(2),
 * open_tree(2) and mount_setattr(2), which mount(8) makes on newer systems. One line for each, when it returns. Strings are read
 * then: their first 255 bytes. A call that fails with EFAULT shows their addresses.
 *
 * filters: -p -n -c -g
 * option: -x | failed | show only calls that failed
 * column: PID, TID, COMM | the thread that calls
 * column: MNTNS | its mount namespace, by the number in /proc/PID/ns/mnt
 * column: ERROR | why the call failed, or 0
 * column: CALL | the call, its arguments and its result
 * example: mountsnoop.d | who mounts what, and where
 * example: mountsnoop.d -x -c 'mount -a' | the mounts of /etc/fstab that fail
 */

/* Kernels differ in the calls that they have. */
#pragma D option zdefs

inline string text[uint64_t p] = p == 0 ? "NULL" : errno == EFAULT ? lltostr(p, 16) : "\"" + copyinstr(p) + "\"";
inline string from[int fd] = fd == -100 ? "AT_FDCWD" : lltostr(fd);

inline string ms_names[uint64_t f] = (f & 1 ? "|MS_RDONLY" : "") + (f & 2 ? "|MS_NOSUID" : "") + (f & 4 ? "|MS_NODEV" : "") +
    (f & 8 ? "|MS_NOEXEC" : "") + (f & 32 ? "|MS_REMOUNT" : "") + (f & 1024 ? "|MS_NOATIME" : "") + (f & 4096 ? "|MS_BIND" : "") +
    (f & 8192 ? "|MS_MOVE" : "") + (f & 16384 ? "|MS_REC" : "") + (f & 32768 ? "|MS_SILENT" : "") +
    (f & 0x20000 ? "|MS_UNBINDABLE" : "") + (f & 0x40000 ? "|MS_PRIVATE" : "") + (f & 0x80000 ? "|MS_SLAVE" : "") +
    (f & 0x100000 ? "|MS_SHARED" : "") + (f & 0x200000 ? "|MS_RELATIME" : "") + (f & 0x1000000 ? "|MS_STRICTATIME" : "") +
    (f & 0x2000000 ? "|MS_LAZYTIME" : "");
inline uint64_t ms_unnamed[uint64_t f] = f & ~0x33ef42f;
/* Linux ignores a magic number of old programs. */
inline uint64_t ms_flags[uint64_t f] = (f & 0xffff0000) == 0xc0ed0000 ? f & 0xffff : f;

enum fsconfig_command {
	FSCONFIG_SET_FLAG, FSCONFIG_SET_STRING, FSCONFIG_SET_BINARY, FSCONFIG_SET_PATH, FSCONFIG_SET_PATH_EMPTY, FSCONFIG_SET_FD,
	FSCONFIG_CMD_CREATE, FSCONFIG_CMD_RECONFIGURE, FSCONFIG_CMD_CREATE_EXCL
};

inline uint32_t mount_ns = curthread->nsproxy->mnt_ns->ns.inum;

BEGIN
/heading/
{
	printf("%-7s %-7s %-15s %-10s %-10s %s\n", "PID", "TID", "COMM", "MNTNS", "ERROR", "CALL");
}

syscall::mount:entry, syscall::umount2:entry, syscall::pivot_root:entry, syscall::fsopen:entry, syscall::fspick:entry,
syscall::fsconfig:entry, syscall::fsmount:entry, syscall::move_mount:entry, syscall::open_tree:entry, syscall::mount_setattr:entry
/selected/
{
	self->calls = 1;
	self->a0 = (uint64_t)arg0;
	self->a1 = (uint64_t)arg1;
	self->a2 = (uint64_t)arg2;
	self->a3 = (uint64_t)arg3;
	self->a4 = (uint64_t)arg4;
}

syscall::mount:return
/self->calls && (!failed || errno)/
{
	this->flags = ms_flags[self->a3];
	this->names = ms_names[this->flags] + (ms_unnamed[this->flags] ? "|" + lltostr(ms_unnamed[this->flags], 16) : "");
	printf("%-7d %-7d %-15s %-10d %-10s mount(%s, %s, %s, %s, %s) = %d\n", pid, tid, execname, mount_ns, errno_name[errno],
	    text[self->a0], text[self->a1], text[self->a2], this->flags ? substr(this->names, 1) : "0", text[self->a4], (int)arg0);
}

syscall::umount2:return
/self->calls && (!failed || errno)/
{
	printf("%-7d %-7d %-15s %-10d %-10s umount2(%s, %s) = %d\n", pid, tid, execname, mount_ns, errno_name[errno],
	    text[self->a0], self->a1 ? lltostr(self->a1, 16) : "0", (int)arg0);
}

syscall::pivot_root:return
/self->calls && (!failed || errno)/
{
	printf("%-7d %-7d %-15s %-10d %-10s pivot_root(%s, %s) = %d\n", pid, tid, execname, mount_ns, errno_name[errno],
	    text[self->a0], text[self->a1], (int)arg0);
}

syscall::fsopen:return
/self->calls && (!failed || errno)/
{
	printf("%-7d %-7d %-15s %-10d %-10s fsopen(%s, %#x) = %d\n", pid, tid, execname, mount_ns, errno_name[errno],
	    text[self->a0], self->a1, (int)arg0);
}

syscall::fspick:return
/self->calls && (!failed || errno)/
{
	printf("%-7d %-7d %-15s %-10d %-10s fspick(%s, %s, %#x) = %d\n", pid, tid, execname, mount_ns, errno_name[errno],
	    from[(int)self->a0], text[self->a1], self->a2, (int)arg0);
}

/* The value is a string, bytes or a path, by the command. */
syscall::fsconfig:return
/self->calls && (!failed || errno)/
{
	printf("%-7d %-7d %-15s %-10d %-10s fsconfig(%d, %s, %s, %s, %d) = %d\n", pid, tid, execname, mount_ns, errno_name[errno],
	    (int)self->a0, (enum fsconfig_command)self->a1, text[self->a2],
	    self->a1 == 1 || self->a1 == 3 || self->a1 == 4 ? text[self->a3] : self->a3 ? lltostr(self->a3, 16) : "NULL", (int)self->a4,
	    (int)arg0);
}

syscall::fsmount:return
/self->calls && (!failed || errno)/
{
	printf("%-7d %-7d %-15s %-10d %-10s fsmount(%d, %#x, %#x) = %d\n", pid, tid, execname, mount_ns, errno_name[errno],
	    (int)self->a0, self->a1, self->a2, (int)arg0);
}

syscall::move_mount:return
/self->calls && (!failed || errno)/
{
	printf("%-7d %-7d %-15s %-10d %-10s move_mount(%s, %s, %s, %s, %#x) = %d\n", pid, tid, execname, mount_ns, errno_name[errno],
	    from[(int)self->a0], text[self->a1], from[(int)self->a2], text[self->a3], self->a4, (int)arg0);
}

syscall::open_tree:return
/self->calls && (!failed || errno)/
{
	printf("%-7d %-7d %-15s %-10d %-10s open_tree(%s, %s, %#x) = %d\n", pid, tid, execname, mount_ns, errno_name[errno],
	    from[(int)self->a0], text[self->a1], self->a2, (int)arg0);
}

syscall::mount_setattr:return
/self->calls && (!failed || errno)/
{
	printf("%-7d %-7d %-15s %-10d %-10s mount_setattr(%s, %s, %#x, %#x, %d) = %d\n", pid, tid, execname, mount_ns, errno_name[errno],
	    from[(int)self->a0], text[self->a1], self->a2, self->a3, self->a4, (int)arg0);
}

syscall::mount:return,
syscall::umount2:return,
syscall::pivot_root:return,
syscall::fsopen:return,
syscall::fspick:return,
syscall::fsconfig:return,
syscall::fsmount:return,
syscall::move_mount:return,
syscall::open_tree:return,
syscall::mount_setattr:return
{
	self->calls = 0;
}
