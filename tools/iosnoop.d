/* SPDX-License-Identifier: Apache-2.0 */
/*
 * iosnoop.d: show reads and writes of disks as they end, with their latency.
 *
 * The process is that which starts the read or write: for data that a program wrote to the page cache, mostly a thread
 * of the kernel. The file is known for what goes through the page cache; "<none>" is O_DIRECT and the file system's own
 * blocks.
 *
 * filters: -p -n -c -g
 * option: -d DEVICE | device | show only this device, as in sda1
 * option: -m US=0 | min_us | show only what takes at least so many microseconds
 * column: PID, COMM | the process that started it
 * column: DEVICE | the disk or partition
 * column: OP | R: read, W: write
 * column: SECTOR | where it begins, in units of 512 bytes
 * column: BYTES | how much
 * column: LAT(us) | the time from start to end in microseconds
 * column: ERROR | why it failed, or 0
 * column: FILE | the name of the file
 * example: iosnoop.d -m 10000 | what takes 10 ms or more
 * example: iosnoop.d -d sda1 -n postgres | what PostgreSQL reads and writes there
 */
BEGIN
/heading/
{
	printf("%-7s %-15s %-10s %-2s %12s %9s %9s %-10s %s\n", "PID", "COMM", "DEVICE", "OP", "SECTOR", "BYTES", "LAT(us)",
	    "ERROR", "FILE");
}

/* A read or write is known by its first bio, arg0, as long as it is under way. */
io:::start
/selected && (!has_device || args[1]->dev_statname == device)/
{
	started[arg0] = timestamp;
	process[arg0] = pid;
	name[arg0] = execname;
	file[arg0] = args[2]->fi_name;
}

io:::done
/started[arg0]/
{
	this->us = (timestamp - started[arg0]) / 1000;
}

io:::done
/started[arg0] && this->us >= min_us/
{
	printf("%-7d %-15s %-10s %-2s %12d %9d %9d %-10s %s\n", process[arg0], name[arg0], args[1]->dev_statname,
	    args[0]->b_flags & B_READ ? "R" : "W", args[0]->b_blkno, args[0]->b_bcount, this->us,
	    errno_name[args[0]->b_error], file[arg0]);
}

io:::done
/started[arg0]/
{
	started[arg0] = 0;
	process[arg0] = 0;
	name[arg0] = 0;
	file[arg0] = 0;
}
