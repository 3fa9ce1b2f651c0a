#!/bin/sh
# ASSERTION: with -Z, probes of other systems' modules, functions and providers match nothing, and the rest of a script runs;
#   stable probes are found whatever module other systems have them in.
cat > $tmpdir/portable.d <<'END'
#!/usr/sbin/dtrace -Zs
#pragma D option quiet

fbt:genunix:ufs_read:entry, fbt:mach_kernel:vnode_pager:entry, fbt:kernel:zfs_write:entry { @unseen[probemod] = count(); }
syscall::open64:entry, syscall::nosuchcall:entry, syscall:freebsd:open:entry /pid == $target/ { @unseen[probefunc] = count(); }
mach_trap:::entry, zfs*:::, vfs:namei:lookup:entry { @unseen[probeprov] = count(); }

syscall::lseek:entry
/pid == $target/
{
	@seen[probefunc] = count();
}

proc:::exec-success
/pid == $target/
{
	@seen["exec"] = count();
}

dtrace:::END
{
	printa("seen %s %@d\n", @seen);
	printa("unseen %s %@d\n", @unseen);
}
END
$dtrace -Zs $tmpdir/portable.d -c "$triggers/syscalls 2" 2>/dev/null
$dtrace -xerrtags -n 'syscall:genunix:nosuchcall:entry { trace(1); }' 2>&1 | grep -o D_PDESC_ZERO
