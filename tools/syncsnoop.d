/* SPDX-License-Identifier: Apache-2.0 */
/*
 * syncsnoop.d: show the calls that wait until data is on disk, with their latency.
 *
 * filters: -p -n -c -g
 * option: -m MS=0 | min_ms | show only calls that took at least so many milliseconds
 * column: PID, COMM | the process
 * column: CALL | fsync, fdatasync, sync_file_range, syncfs, sync or msync
 * column: LAT(us) | how long the call took, in microseconds
 * column: ERROR | why it failed, or 0
 * column: FILE | the file, or for syncfs one of the file system; empty for sync and msync
 * example: syncsnoop.d -m 100 | what waits long for disks
 * example: syncsnoop.d -n postgres -t 60 | a minute of a database
 */
BEGIN
/heading/
{
	printf("%-7s %-15s %-15s %9s %-10s %s\n", "PID", "COMM", "CALL", "LAT(us)", "ERROR", "FILE");
}

syscall::sync:entry,
syscall::msync:entry
/selected/
{
	self->entered = timestamp;
	self->file = "";
}

syscall::fsync:entry,
syscall::fdatasync:entry,
syscall::sync_file_range:entry,
syscall::syncfs:entry
/selected/
{
	self->entered = timestamp;
	self->file = fds[arg0].fi_pathname;
}

syscall::sync:return,
syscall::msync:return,
syscall::fsync:return,
syscall::fdatasync:return,
syscall::sync_file_range:return,
syscall::syncfs:return
/self->entered && (timestamp - self->entered) / 1000000 >= min_ms/
{
	printf("%-7d %-15s %-15s %9d %-10s %s\n", pid, execname, probefunc, (timestamp - self->entered) / 1000, errno_name[errno],
	    self->file);
}

syscall::sync:return,
syscall::msync:return,
syscall::fsync:return,
syscall::fdatasync:return,
syscall::sync_file_range:return,
syscall::syncfs:return
{
	self->entered = 0;
	self->file = 0;
}
