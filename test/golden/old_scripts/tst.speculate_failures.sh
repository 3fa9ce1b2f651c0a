#!/bin/sh
# ASSERTION: details of a call are kept only where it fails: speculation, commit and discard.
cat > $tmpdir/failures.d <<'END'
#!/usr/sbin/dtrace -s
#pragma D option quiet
#pragma D option nspec=8

syscall::openat:entry
/pid == $target/
{
	self->spec = speculation();
	speculate(self->spec);
	printf("open of %s\n", copyinstr(arg1));
}

syscall::openat:return
/self->spec && (int)arg0 < 0 && errno == ENOENT/
{
	speculate(self->spec);
	printf("  failed: errno %d\n", errno);
	self->fails = 1;
}

syscall::openat:return
/self->spec && self->fails/
{
	commit(self->spec);
	self->spec = 0;
	self->fails = 0;
}

syscall::openat:return
/self->spec/
{
	discard(self->spec);
	self->spec = 0;
}
END
$dtrace -s $tmpdir/failures.d -c "cat /etc/hostname /nonexistent/file" 2>/dev/null | grep -v "$(cat /etc/hostname)"
exit 0
