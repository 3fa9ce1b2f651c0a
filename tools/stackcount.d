/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stackcount.d: count the stacks with which a function, or another probe, is reached; the most frequent last.
 *
 * The probe is "submit_bio" for a function of the kernel, "libc:malloc" for one of a program of -p or -c, or a
 * description with all fields, as in "syscall::futex:entry". A pattern takes several.
 *
 * filters: -p -n -c -g -i
 * operand: PROBE | functions or probes, also a pattern
 * option: -K | kernel_stack | show the stack of the kernel in place of the program's
 * option: -m ROWS=20 | rows | show at most so many stacks, the most frequent ones
 * column: COMM | the name of the thread, after its stack
 * column: COUNT | how often the probe was reached with it
 * example: stackcount.d -p 1234 syscall::futex:entry | where a program waits for locks
 * example: stackcount.d -K -t 10 sdt:block::block_bio_queue | what in the kernel uses disks
 */
$1:$2:$3:$4
/!kernel_stack && selected/
{
	@user[ustack(), execname] = count();
}

$1:$2:$3:$4
/kernel_stack && selected/
{
	@kernel[stack(), execname] = count();
}

tick-1s, END
/due/
{
	trunc(@user, rows);
	trunc(@kernel, rows);
	printa("%k%16s %@12d\n\n", @user);
	printa("%k%16s %@12d\n\n", @kernel);
	trunc(@user);
	trunc(@kernel);
}
