/* SPDX-License-Identifier: Apache-2.0 */
/*
 * biopattern.d: show how random or sequential the reads and writes of disks are.
 *
 * A read or write is sequential if it begins where the one before it on that device has ended, in the order in which they end. The
 * first of a device that is seen is neither.
 *
 * filters: -i
 * option: -d DEVICE | device | show only this device, as in sda1
 * column: DEVICE | the disk or partition
 * column: %RND, %SEQ | how many of 100 are random and sequential, rounded down
 * column: COUNT | how many reads and writes ended
 * column: KBYTES | how much they carried, in units of 1024 bytes
 * example: biopattern.d -i 1 | second by second
 * example: biopattern.d -d sda1 -t 60 | a minute of one partition
 */
uint64_t ended[dev_t];	/* the sector behind the last read or write, of 512 bytes */

io:::done
/(!has_device || args[1]->dev_statname == device)/
{
	@count[args[1]->dev_statname] = count();
	@bytes[args[1]->dev_statname] = sum(args[0]->b_bcount);
}

io:::done
/(!has_device || args[1]->dev_statname == device) && ended[args[0]->b_edev]/
{
	@sequential[args[1]->dev_statname] = avg(ended[args[0]->b_edev] == args[0]->b_blkno ? 100 : 0);
	@random[args[1]->dev_statname] = avg(ended[args[0]->b_edev] == args[0]->b_blkno ? 0 : 100);
}

io:::done
/(!has_device || args[1]->dev_statname == device)/
{
	ended[args[0]->b_edev] = args[0]->b_blkno + args[0]->b_bcount / 512;
}

tick-1s, END
/due/
{
	normalize(@bytes, 1024);
	heading ? printf("%-15s %5s %5s %9s %12s\n", "DEVICE", "%RND", "%SEQ", "COUNT", "KBYTES") : 0;
	printa("%-15s %@5d %@5d %@9d %@12d\n", @random, @sequential, @count, @bytes);
	trunc(@random);
	trunc(@sequential);
	trunc(@count);
	trunc(@bytes);
}
