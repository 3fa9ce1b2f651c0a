#!/usr/sbin/dtrace -s
/* ASSERTION: old scripts have variables called elapsed, container, cgroup and uptime. @@trigger: syscalls 3 */
#pragma D option quiet

dtrace:::BEGIN
{
	start = timestamp;
	container["lseek"] = 0;
	uptime = 0;
}

syscall::lseek:entry
/pid == $target/
{
	self->start = timestamp;
	container[probefunc]++;
}

syscall::lseek:return
/self->start/
{
	this->elapsed = timestamp - self->start;
	elapsed = this->elapsed;
	uptime += elapsed > 0 ? 1 : 0;
	self->start = 0;
}

dtrace:::END
{
	printf("%d calls, %d with time\n", container["lseek"], uptime);
}
