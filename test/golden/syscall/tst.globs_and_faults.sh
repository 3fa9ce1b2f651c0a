#!/bin/bash
# ASSERTION: a clause of several probes that may fault: names of what fired, and the ERROR probe says which it was.
# SECTION: Probe descriptions; Faults and the ERROR probe
"$dtrace" -qn 'syscall::open*:entry /pid == $target/ { @[probefunc, copyinstr(arg1)] = count(); }' \
	-c 'cat /nosuch' 2>/dev/null | grep nosuch
"$dtrace" -qn 'syscall::lseek:,syscall::open*: /pid == $target && probefunc == "lseek"/ { faulting = arg0 + *(int *)0; }
	ERROR { @[arg4, arg5] = count(); } END { printa("%d 0x%x %@d\n", @); }' -c "$triggers/syscalls 3" 2>&1 |
	sed -E 's/probe ID [0-9]+/probe ID N/; s/ at BPF pc [0-9]+//' | sort | uniq -c | sed 's/^ *//'
