/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bitesize.d: show how large the reads and writes of disks are, by process, as distributions of bytes.
 *
 * filters: -p -n -c -g -i
 * column: PID, COMM | the process that starts the read or write
 * column: OP | R: read, W: write
 * example: bitesize.d -t 10 | who makes many small requests
 * example: bitesize.d -c 'dd if=/dev/sda of=/dev/null bs=64k count=100 iflag=direct' | what becomes of a command's requests
 */
io:::start
/selected/
{
	@bytes[pid, execname, args[0]->b_flags & B_READ ? "R" : "W"] = quantize(args[0]->b_bcount);
}

tick-1s, END
/due/
{
	printa("%d %s %s, bytes %@d\n", @bytes);
	trunc(@bytes);
}
