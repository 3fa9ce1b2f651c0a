/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hotkernel.d: count samples by the function of the kernel that runs, most frequent first.
 *
 * filters: -p -n -c -g -i
 * option: -F HZ=997 | $1 | take so many samples a second on each CPU
 * option: -M | by_module | count by module in place of by function
 * option: -m ROWS=20 | rows | show at most so many rows, those with the most samples
 * column: FUNCTION, MODULE | what runs
 * column: SAMPLES | how many samples met it
 * example: hotkernel.d -t 10 | what runs most
 * example: hotkernel.d -M -c 'tar czf /dev/null /etc' | what a command uses
 */
#pragma D option aggsortrev

profile-$1
/!by_module && arg0 && selected/
{
	@functions[func(arg0)] = count();
}

profile-$1
/by_module && arg0 && selected/
{
	@modules[mod(arg0)] = count();
}

tick-1s, END
/due/
{
	trunc(@functions, rows);
	trunc(@modules, rows);
	heading ? printf("%-60s %10s\n", by_module ? "MODULE" : "FUNCTION", "SAMPLES") : 0;
	printa("%-60a %@10d\n", @functions);
	printa("%-60a %@10d\n", @modules);
	trunc(@functions);
	trunc(@modules);
}
