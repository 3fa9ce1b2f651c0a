/* SPDX-License-Identifier: Apache-2.0 */
/*
 * system.d - load and memory of the whole system, from variables of the kernel.
 *
 * They have addresses where /proc/kallsyms lists data (CONFIG_KALLSYMS_ALL, as in Debian's kernels). On other kernels a
 * program that uses them is refused, with the variable that is missing.
 */
extern unsigned long avenrun[3];
extern unsigned long _totalram_pages;
extern unsigned long vm_zone_stat[32];

/* Average length of the run queue, in hundredths, of 1, 5 and 15 minutes: printf("%.2f", loadavg[0] / 100.0). */
inline uint64_t loadavg[int which] = (`avenrun[which] * 100 + 1024) >> 11;

inline uint64_t memtotal = `_totalram_pages * __dt_page_bytes;			/* bytes that the kernel manages */
inline uint64_t memfree = `vm_zone_stat[NR_FREE_PAGES] * __dt_page_bytes;		/* bytes that nothing uses, not even a cache */
