#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ustacks.d - where one process spends its time: its stacks, sampled 997 times a second.
 *
 *     ustacks.d -c 'gzip -k file'
 *     ustacks.d -p 1234
 *
 * arg1 is the interrupted address if that was in the program, else 0; without that condition time in system calls shows
 * as well, under the stack that made them.
 */
#pragma D option quiet

profile-997
/pid == $target && arg1/
{
	@samples[ustack()] = count();
}

END
{
	trunc(@samples, 10);
	printa("%k%@12d\n", @samples);
}
