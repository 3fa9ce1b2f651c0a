/* SPDX-License-Identifier: Apache-2.0 */
/*
 * iolatency.d: show how long reads and writes of disks take, by device, as distributions.
 *
 * The time is that from start to end: it includes the time in the queue. A percentile is the upper bound of the bucket
 * that it lies in; buckets are powers of two.
 *
 * filters: -p -n -c -g -i
 * option: -s | summary | show one line for each device in place of a distribution
 * column: DEVICE | the disk or partition
 * column: OP | R: read, W: write
 * column: COUNT | how many ended
 * column: P50(us), P90(us), P99(us) | so many of 100 took no longer, in microseconds
 * column: MAX(us) | the longest, in microseconds
 * example: iolatency.d -s -i 1 | percentiles, second by second
 * example: iolatency.d -c 'dd if=/dev/sda of=/dev/null bs=1M count=100 iflag=direct' | what a disk does for one command
 */
io:::start
/selected/
{
	started[arg0] = timestamp;
}

io:::done
/started[arg0]/
{
	this->us = (timestamp - started[arg0]) / 1000;
	this->op = args[0]->b_flags & B_READ ? "R" : "W";
	@count[args[1]->dev_statname, this->op] = count();
	@times[args[1]->dev_statname, this->op] = quantize(this->us);
	@longest[args[1]->dev_statname, this->op] = max(this->us);
	started[arg0] = 0;
}

tick-1s, END
/summary && due/
{
	heading ? printf("%-10s %-2s %9s %9s %9s %9s %9s\n", "DEVICE", "OP", "COUNT", "P50(us)", "P90(us)", "P99(us)",
	    "MAX(us)") : 0;
	printa("%-10s %-2s %@9d %@9.5q %@9.9q %@9.99q %@9d\n", @count, @times, @times, @times, @longest);
}

tick-1s, END
/!summary && due/
{
	printa("%s %s, microseconds %@d\n", @times);
}

tick-1s, END
/due/
{
	trunc(@count);
	trunc(@times);
	trunc(@longest);
}
