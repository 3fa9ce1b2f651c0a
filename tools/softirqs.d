/* SPDX-License-Identifier: Apache-2.0 */
/*
 * softirqs.d: show how long the kernel works for each kind of soft interrupt.
 *
 * Soft interrupts are work that the kernel puts off: packets, timers, the ends of disk requests. Their time includes that of devices'
 * interrupts in between.
 *
 * filters: -i
 * option: -C | by_cpu | show each CPU
 * option: -d | distribution | show distributions of nanoseconds in place of sums
 * column: CPU | the CPU; all without -C
 * column: SOFTIRQ | the kind, as in /proc/softirqs
 * column: COUNT | how often
 * column: TOTAL(us), MAX(us) | the time of all and of the longest, in microseconds
 * example: softirqs.d -i 1 | the kernel's deferred work, second by second
 * example: softirqs.d -d -t 10 | how long single runs take
 */

/* As the kernel numbers them. */
enum soft_interrupt { HI, TIMER, NET_TX, NET_RX, BLOCK, IRQ_POLL, TASKLET, SCHED, HRTIMER, RCU };

inline string which_cpu = by_cpu ? lltostr(cpu) : "all";

/* A CPU handles one at a time. */
uint64_t began[int];

sdt:irq::softirq_entry
{
	began[cpu] = timestamp;
}

sdt:irq::softirq_exit
/!distribution && began[cpu]/
{
	this->ns = timestamp - began[cpu];
	@count[which_cpu, (enum soft_interrupt)args[0]] = count();
	@total[which_cpu, (enum soft_interrupt)args[0]] = sum(this->ns);
	@longest[which_cpu, (enum soft_interrupt)args[0]] = max(this->ns);
}

sdt:irq::softirq_exit
/distribution && began[cpu]/
{
	@times[which_cpu, (enum soft_interrupt)args[0]] = quantize(timestamp - began[cpu]);
}

sdt:irq::softirq_exit
{
	began[cpu] = 0;
}

tick-1s, END
/!distribution && due/
{
	normalize(@total, 1000);
	normalize(@longest, 1000);
	heading ? printf("%3s  %-10s %9s %12s %9s\n", "CPU", "SOFTIRQ", "COUNT", "TOTAL(us)", "MAX(us)") : 0;
	printa("%3s  %-10s %@9d %@12d %@9d\n", @count, @total, @longest);
	trunc(@count);
	trunc(@total);
	trunc(@longest);
}

tick-1s, END
/distribution && due/
{
	printa("CPU %s %s, nanoseconds %@d\n", @times);
	trunc(@times);
}
