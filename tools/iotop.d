/* SPDX-License-Identifier: Apache-2.0 */
/*
 * iotop.d: show which processes read from and write to disks most.
 *
 * filters: -p -n -c -g -i
 * option: -m ROWS=20 | rows | show at most so many rows, those with the most bytes
 * column: PID, COMM | the process that starts the reads and writes
 * column: DEVICE | the disk or partition
 * column: OP | R: read, W: write
 * column: BYTES | how much
 * example: iotop.d -i 1 | who does most, second by second
 * example: iotop.d -g system.slice -t 60 | the services of a minute
 */
#pragma D option aggsortrev

io:::start
/selected/
{
	@bytes[pid, execname, args[1]->dev_statname, args[0]->b_flags & B_READ ? "R" : "W"] = sum(args[0]->b_bcount);
}

tick-1s, END
/due/
{
	trunc(@bytes, rows);
	heading ? printf("%-7s %-15s %-10s %-2s %14s\n", "PID", "COMM", "DEVICE", "OP", "BYTES") : 0;
	printa("%-7d %-15s %-10s %-2s %@14d\n", @bytes);
	trunc(@bytes);
}
