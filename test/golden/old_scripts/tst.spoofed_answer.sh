#!/bin/sh
# ASSERTION: a destructive script changes what a system call gives: copyoutstr, and copyout.
cat > $tmpdir/spoof.d <<'END'
#!/usr/sbin/dtrace -ws
#pragma D option quiet
syscall::newuname:entry
/pid == $target/
{
	self->addr = arg0;
}
syscall::newuname:return
/self->addr/
{
	copyoutstr("SunOS", self->addr, 65);
	self->addr = 0;
}
END
$dtrace -ws $tmpdir/spoof.d -c "uname -s" 2>/dev/null
$dtrace -s $tmpdir/spoof.d -c "uname -s" 2>&1 | cat
