#!/bin/bash
# ASSERTION: where functions of system calls cannot be probed, the tracepoint is: -v says so. Option syscalls=function is then an error.
# SECTION: Providers, 4
export DTRACE_KERNEL_LACKS=call_functions
"$dtrace" -v -q -n 'BEGIN { exit(0); } syscall::lseek:entry {}' 2>&1 | grep 'system calls probed'
"$dtrace" -x syscalls=function -n 'BEGIN { exit(0); } syscall::lseek:entry {}' 2>&1
"$dtrace" -x syscalls=nowhere -n 'BEGIN { exit(0); } syscall::lseek:entry {}' 2>&1
"$dtrace" -x syscalls=function -q -n 'BEGIN { trace("no calls\n"); exit(0); }' 2>&1
exit 0
