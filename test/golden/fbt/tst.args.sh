#!/bin/bash
# ASSERTION: arguments of functions have their types: a file's name behind a pointer, a size; the return has the value.
# SECTION: fbt
# @@timeout: 60
. ../fbt/common.sh
"$dtrace" -qn '
fbt::vfs_read:entry /pid == $target && args[2] == 12345/
{
	self->in = 1;
	@names[stringof(args[0]->f_path.dentry->d_name.name)] = count();
	@sizes = sum(arg2);
	@modules[probemod, probefunc] = count();
}
fbt::vfs_read:return /self->in/ { @values = sum(args[1]); @raw = sum(arg1); @offsets = sum(arg0); self->in = 0; }
END { printa("%s %@d\n", @names); printa("asked %@d\n", @sizes); printa("%s %s %@d\n", @modules);
	printa("got %@d\n", @values); printa("arg1 %@d\n", @raw); printa("arg0 %@d\n", @offsets); }' \
	-c 'dd if=/dev/zero of=/dev/null bs=12345 count=7 status=none' 2>err >out
cat out err | grep .
# An int that is negative is negative in arg1 as well, though only half of the register is the function's.
"$dtrace" -qn 'fbt::filename_lookup:return /pid == $target && arg1 < 0/ { @[arg1, args[1]] = count(); }' \
	-c 'ls /does/not/exist' 2>/dev/null | awk 'NF { print $1, $2 }' | sort -u
