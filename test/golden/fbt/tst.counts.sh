#!/bin/bash
# ASSERTION: entries and returns of a system call's function are as many as the calls that the program makes, and each
# return has the error.
# SECTION: fbt
# @@timeout: 60
. ../../runner/machine.sh
. ../fbt/common.sh
"$dtrace" -qn '
fbt::'$call_prefix'lseek:entry /pid == $target/ { @entries = count(); self->in = 1; }
fbt::'$call_prefix'lseek:return /self->in && (int)arg1 == -9/ { @returns = count(); self->in = 0; }
END { printa("entries %@d\n", @entries); printa("returns %@d\n", @returns); }' \
	-xledger=text -c "$triggers/syscalls 20000" 2>err >out
cat out err | grep .
