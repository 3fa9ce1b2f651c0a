#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpuprofile.d - where the processors of the machine spend their time: the kernel's stack and the program's, sampled 997
 * times a second, by program, without the idle loop and dtrace itself.
 *
 *     cpuprofile.d                   until Ctrl-C
 *     cpuprofile.d -c 'make -j8'     while a command runs
 *
 * The last ten entries are the most frequent. A sample in a program has no kernel stack.
 */
#pragma D option quiet

profile-997
/pid && pid != $pid/
{
	@samples[execname, stack(), ustack()] = count();
}

END
{
	trunc(@samples, 10);
	printa("%s%k%k%@12d\n\n", @samples);
}
