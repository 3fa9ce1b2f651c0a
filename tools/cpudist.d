/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpudist.d: show how long threads run before they leave their CPU, as distributions of microseconds.
 *
 * filters: -p -n -c -g -i
 * option: -P | by_thread | show a distribution for each thread name
 * column: COMM | the name of the thread (with -P)
 * example: cpudist.d -P -t 10 | who runs long, and who is interrupted often
 * example: cpudist.d -p 1234 | one process
 */

/* When each CPU got the thread that it runs, in nanoseconds. */
uint64_t since[int];

sdt:sched::sched_switch
/selected && args[1]->pid && since[cpu]/
{
	@ran[by_thread ? execname : "all threads"] = quantize((timestamp - since[cpu]) / 1000);
}

sdt:sched::sched_switch
{
	since[cpu] = timestamp;
}

tick-1s, END
/due/
{
	printa("%s, microseconds %@d\n", @ran);
	trunc(@ran);
}
