#!/bin/bash
# ASSERTION: offcpu.d shows where the threads of a program wait, by whole stacks of the kernel and of the program.
. ./common.sh
contend=$(program "$triggers/contend")
example offcpu.d -c "$contend 30 0"
# waits FUNCTION: how often the threads waited where it is on the stack
waits() {
  awk -v function_name="$1" '/ ms, [0-9]+ times$/ { if (is_there) sum += $3; is_there = 0 } index($0, function_name) { is_there = 1 }
    END { print sum + 0 }' "$out"
}
claim "each sleep" between 55 75 "$(waits hrtimer_nanosleep)"
claim "for the lock, whose holder sleeps" between 1 300 "$(waits futex_wait)"
claim "for the threads" between 1 50 "$(waits "$name\`main")"
claim "in the kernel" grep -q '`hrtimer_nanosleep'
claim "up to the threads' first function" awk '/`work\+/ { getline; found = found || /libc/ } END { exit !found }'
claim "no stack is cut" awk '/\[cut:/ { exit 1 }'
