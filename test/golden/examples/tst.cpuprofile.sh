#!/bin/bash
# ASSERTION: cpuprofile.d shows which programs run, by their stacks in the kernel and in the program.
. ./common.sh
calls=$(program "$triggers/syscalls")
example cpuprofile.d -c "$calls 3000000"
claim "the program" grep -qx "$name"
claim "what it asks of the kernel" grep -qE 'vmlinux`(do_syscall_64|invoke_syscall|do_el0_svc)'
claim "and who asks" grep -qE "^$name\`main(\+0x[0-9a-f]+)?$"
claim "samples are counted" awk 'NF == 1 && $1 ~ /^[0-9]+$/ { sum += $1 } END { exit sum < 10 }'
