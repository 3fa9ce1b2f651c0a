#!/usr/sbin/dtrace -s
/* ASSERTION: timestamps in self->, cleared at the return; histograms by name; a filter by -c. @@trigger: syscalls 64 */
#pragma D option quiet

syscall::lseek:entry
/pid == $target/
{
	self->ts = timestamp;
	self->vts = vtimestamp;
}

syscall::lseek:return
/self->ts/
{
	this->ns = timestamp - self->ts;
	@times[probefunc] = quantize(this->ns);
	@calls = count();
	@sane = sum(this->ns > 0 && this->ns < 1000000000 && vtimestamp >= self->vts);
	self->ts = 0;
	self->vts = 0;
}

dtrace:::END
{
	printa("%@d calls, ", @calls);
	printa("%@d with times\n", @sane);
	trunc(@times);
}
