#!/bin/bash
# ASSERTION: entries and returns of a known number of calls are all counted, with their arguments and return values.
# SECTION: syscall provider
# @@timeout: 60
$dtrace -qn 'syscall::lseek:entry /pid == $target && arg0 == 12345/ { @entries = count(); @offsets = sum(arg1); }
syscall::lseek:return /pid == $target && errno == EBADF/ { @returns = count(); @values = sum(arg0); }
END { printa("entries %@d\n", @entries); printa("offsets %@d\n", @offsets); printa("returns %@d\n", @returns); printa("values %@d\n", @values); }' \
	-c "$(dirname "$dtrace")/../test/triggers/syscalls 1000"
