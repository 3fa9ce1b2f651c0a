#!/bin/sh
# ASSERTION: bytes of reads by file: fds[], arg0 at the return, sum, max and sysinfo's readch, of a dd with known sizes.
dd if=/dev/zero of=$tmpdir/data bs=1000 count=9 2>/dev/null
$dtrace -qn '
syscall::read:entry
/pid == $target && fds[arg0].fi_name == "data"/
{
	self->reading = 1;
}
syscall::read:return
/self->reading && arg0 > 0/
{
	@bytes["data"] = sum(arg0);
	@reads["data"] = count();
	@largest["data"] = max(arg0);
}
syscall::read:return
{
	self->reading = 0;
}
syscall::write:return
/pid == $target && (int)arg0 == 1000/
{
	@written = sum(arg0);
}
dtrace:::END
{
	printa("%s: %@d bytes in %@d reads, at most %@d\n", @bytes, @reads, @largest);
	printa("written %@d\n", @written);
}' -c "dd if=$tmpdir/data of=/dev/null bs=1000" 2>/dev/null
