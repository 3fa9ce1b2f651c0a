/* SPDX-License-Identifier: Apache-2.0 */
/*
 * profile.d: show where programs and the kernel spend CPU time: the stacks of samples, most frequent last.
 *
 * The stack of the kernel comes first, then that of the program, its name and the number of samples.
 *
 * filters: -p -n -c -g -i
 * option: -F HZ=99 | $1 | take so many samples a second on each CPU
 * option: -m ROWS=20 | rows | show at most so many stacks, those with the most samples
 * option: -U | user_only | show the stacks of programs only
 * option: -K | kernel_only | show the stacks of the kernel only
 * column: COMM | the name of the thread, after its stacks
 * column: SAMPLES | number of samples with these stacks
 * example: profile.d -t 10 | what the system does
 * example: profile.d -F 997 -U -c 'sha256sum /usr/bin/perl' | what a command does, in its own code
 */
profile-$1
/!user_only && !kernel_only && pid && selected/
{
	@samples[stack(), ustack(), execname] = count();
}

profile-$1
/user_only && pid && selected && arg1/
{
	@user[ustack(), execname] = count();
}

profile-$1
/kernel_only && pid && selected && arg0/
{
	@kernel[stack(), execname] = count();
}

tick-1s, END
/due/
{
	trunc(@samples, rows);
	trunc(@user, rows);
	trunc(@kernel, rows);
	printa("%k%k%16s %@12d\n\n", @samples);
	printa("%k%16s %@12d\n\n", @user);
	printa("%k%16s %@12d\n\n", @kernel);
	trunc(@samples);
	trunc(@user);
	trunc(@kernel);
}
