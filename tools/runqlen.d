/* SPDX-License-Identifier: Apache-2.0 */
/*
 * runqlen.d: show how many threads wait for each CPU, by samples.
 *
 * Each CPU is sampled 99 times a second. The thread that runs does not wait; an idle CPU has a queue of 0.
 *
 * filters: -i
 * option: -C | by_cpu | show a distribution for each CPU
 * example: runqlen.d -t 10 | are there more threads than CPUs?
 * example: runqlen.d -C -i 5 | is one CPU busier than the others?
 */
#pragma D option aggsortkey

profile-99
{
	/* Thread 0 runs where nothing else can. */
	@waiting[by_cpu ? cpu : 0] = lquantize(curthread->pid ? curthread->se.cfs_rq->rq->nr_running - 1 : 0, 0, 64, 1);
}

tick-1s, END
/due/
{
	by_cpu ? printa("CPU %d, threads that wait %@d\n", @waiting) : printa("threads that wait %@d\n", @waiting);
	trunc(@waiting);
}
