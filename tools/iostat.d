/* SPDX-License-Identifier: Apache-2.0 */
/*
 * iostat.d: show how many reads and writes each disk has done, of how many bytes, and how long they took.
 *
 * Numbers are of the time since the last print, not per second. Only what ends is counted, with the time from its start.
 *
 * filters: -i
 * column: DEVICE | the disk or partition
 * column: READS, WRITES | how many ended
 * column: READ(kB), WRITTEN(kB) | how much, in units of 1000 bytes
 * column: RAVG(us), WAVG(us) | how long a read and a write took on average, in microseconds
 * example: iostat.d -i 1 | second by second
 * example: iostat.d -t 60 | a minute
 */
io:::start
{
	started[arg0] = timestamp;
}

io:::done
/started[arg0] && args[0]->b_flags & B_READ/
{
	@reads[args[1]->dev_statname] = count();
	@read[args[1]->dev_statname] = sum(args[0]->b_bcount);
	@read_average[args[1]->dev_statname] = avg((timestamp - started[arg0]) / 1000);
}

io:::done
/started[arg0] && !(args[0]->b_flags & B_READ)/
{
	@writes[args[1]->dev_statname] = count();
	@written[args[1]->dev_statname] = sum(args[0]->b_bcount);
	@write_average[args[1]->dev_statname] = avg((timestamp - started[arg0]) / 1000);
}

io:::done
{
	started[arg0] = 0;
}

tick-1s, END
/due/
{
	normalize(@read, 1000);
	normalize(@written, 1000);
	heading ? printf("%-10s %9s %12s %9s %9s %12s %9s\n", "DEVICE", "READS", "READ(kB)", "RAVG(us)", "WRITES", "WRITTEN(kB)",
	    "WAVG(us)") : 0;
	printa("%-10s %@9d %@12d %@9d %@9d %@12d %@9d\n", @reads, @read, @read_average, @writes, @written, @write_average);
	trunc(@reads);
	trunc(@read);
	trunc(@read_average);
	trunc(@writes);
	trunc(@written);
	trunc(@write_average);
}
