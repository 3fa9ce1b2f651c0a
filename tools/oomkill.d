/* SPDX-License-Identifier: Apache-2.0 */
/*
 * oomkill.d: show the processes that the kernel kills because memory is short.
 *
 * The process that needs memory when there is none left is mostly not the one that is killed for it. This needs Linux 6.9.
 *
 * column: PID, COMM | the process that is killed
 * column: UID | its user
 * column: RSS(kB) | its memory that is not a file's, in kilobytes
 * column: BY | the thread that needed memory
 * example: oomkill.d | who is killed, and who asked for memory
 * example: oomkill.d -j -t 86400 | a day, for a program
 */
BEGIN
/heading/
{
	printf("%-7s %-15s %-7s %12s %s\n", "PID", "COMM", "UID", "RSS(kB)", "BY");
}

/* Member 1 (MM_ANONPAGES) of the counters of memory, in pages. */
sdt:oom::mark_victim
{
	printf("%-7d %-15s %-7d %12d %s\n", args[0]->tgid, stringof(args[0]->comm), args[1],
	    args[0]->mm->rss_stat[1].count * (__dt_page_bytes / 1024), execname);
}
