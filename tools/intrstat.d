/* SPDX-License-Identifier: Apache-2.0 */
/*
 * intrstat.d: show how often devices interrupt, and how long the kernel works for each.
 *
 * filters: -i
 * option: -s | soft | show soft interrupts in place of those of devices
 * column: CPU | the CPU that is interrupted
 * column: IRQ | the number of the interrupt
 * column: NAME | the device's name for it, or that of the soft interrupt
 * column: COUNT | how often
 * column: TOTAL(us), MAX(us) | the time in its handlers, in microseconds
 * example: intrstat.d -i 1 | interrupts, second by second
 * example: intrstat.d -s -t 10 | the kernel's deferred work: network, timers
 */

/* As the kernel numbers them. */
enum soft_interrupt { HI, TIMER, NET_TX, NET_RX, BLOCK, IRQ_POLL, TASKLET, SCHED, HRTIMER, RCU };

/* A soft interrupt may be interrupted, and handlers of devices may not: a time for each kind and CPU will do. */
uint64_t began[int];

sdt:irq::irq_handler_entry
/!soft/
{
	began[cpu] = timestamp;
}

sdt:irq::irq_handler_exit
/!soft && began[cpu]/
{
	this->ns = timestamp - began[cpu];
	@devices[cpu, args[0], stringof(args[1]->name)] = count();
	@device_sum[cpu, args[0], stringof(args[1]->name)] = sum(this->ns / 1000);
	@device_max[cpu, args[0], stringof(args[1]->name)] = max(this->ns / 1000);
	began[cpu] = 0;
}

sdt:irq::softirq_entry
/soft/
{
	began[cpu] = timestamp;
}

sdt:irq::softirq_exit
/soft && began[cpu]/
{
	this->ns = timestamp - began[cpu];
	@softs[cpu, args[0], (enum soft_interrupt)args[0]] = count();
	@soft_sum[cpu, args[0], (enum soft_interrupt)args[0]] = sum(this->ns / 1000);
	@soft_max[cpu, args[0], (enum soft_interrupt)args[0]] = max(this->ns / 1000);
	began[cpu] = 0;
}

tick-1s, END
/due/
{
	heading ? printf("%3s %5s %-24s %9s %12s %9s\n", "CPU", "IRQ", "NAME", "COUNT", "TOTAL(us)", "MAX(us)") : 0;
	printa("%3d %5d %-24s %@9d %@12d %@9d\n", @devices, @device_sum, @device_max);
	printa("%3d %5d %-24s %@9d %@12d %@9d\n", @softs, @soft_sum, @soft_max);
	trunc(@devices);
	trunc(@device_sum);
	trunc(@device_max);
	trunc(@softs);
	trunc(@soft_sum);
	trunc(@soft_max);
}
