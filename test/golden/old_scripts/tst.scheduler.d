#!/usr/sbin/dtrace -s
/* ASSERTION: on-cpu and off-cpu of the command's thread, its time on a processor, and wakeups.	@@trigger: naps 30 */
#pragma D option quiet

sched:::on-cpu
/pid == $target/
{
	self->on = timestamp;
	@n["on"] = count();
	on++;
}

sched:::off-cpu
/self->on/
{
	@time["on-cpu"] = sum(timestamp - self->on);
	@n["off"] = count();
	off++;
	self->on = 0;
}

dtrace:::END
{
	printf("%s on a CPU, %s off it\n", on >= 5 ? "often" : "seldom", off >= 5 ? "often" : "seldom");
	trunc(@n);
	trunc(@time);
}
