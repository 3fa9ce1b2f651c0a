/* SPDX-License-Identifier: Apache-2.0 */
/*
 * drsnoop.d: show threads that have to free memory before they get any, and how long that takes.
 *
 * This is direct reclaim: a thread needs memory, there is too little, and it looks itself for pages that can be given up. Memory may
 * be short on the whole machine, or in the thread's control group, whose limit is reached then.
 *
 * filters: -p -n -c -g
 * option: -m US=0 | min_us | show only what takes at least so many microseconds
 * column: PID, TID, COMM | the thread
 * column: SCOPE | machine or cgroup: where memory is short
 * column: ORDER | the thread needs 2 to the power of this many pages in a row
 * column: PAGES | how many pages it has freed
 * column: LAT(us) | how long that took, in microseconds
 * example: drsnoop.d -m 1000 | who waits 1 ms or longer for memory
 * example: drsnoop.d -g system.slice/mariadb.service | is the limit of a service too low?
 */

BEGIN
/heading/
{
	printf("%-7s %-7s %-15s %-7s %5s %9s %9s\n", "PID", "TID", "COMM", "SCOPE", "ORDER", "PAGES", "LAT(us)");
}

sdt:vmscan::mm_vmscan_direct_reclaim_begin,
sdt:vmscan::mm_vmscan_memcg_reclaim_begin
/selected/
{
	self->from = timestamp;
	self->order = args[0];
}

sdt:vmscan::mm_vmscan_direct_reclaim_end,
sdt:vmscan::mm_vmscan_memcg_reclaim_end
/self->from && (timestamp - self->from) / 1000 >= min_us/
{
	printf("%-7d %-7d %-15s %-7s %5d %9d %9d\n", pid, tid, execname,
	    probename == "mm_vmscan_direct_reclaim_end" ? "machine" : "cgroup", self->order, args[0], (timestamp - self->from) / 1000);
}

sdt:vmscan::mm_vmscan_direct_reclaim_end,
sdt:vmscan::mm_vmscan_memcg_reclaim_end
{
	self->from = 0;
}
