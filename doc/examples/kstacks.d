#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kstacks.d - where the kernel spends its time: stacks of all CPUs, sampled 997 times a second.
 *
 *     kstacks.d                      until Ctrl-C
 *
 * arg0 is the interrupted address if that was in the kernel, else 0. Idle CPUs are left out by their thread's number.
 * Prints the ten most frequent stacks, the most frequent last.
 */
#pragma D option quiet

profile-997
/arg0 && tid != 0/
{
	@samples[stack()] = count();
}

END
{
	trunc(@samples, 10);
	printa("%k%@12d\n", @samples);
}
