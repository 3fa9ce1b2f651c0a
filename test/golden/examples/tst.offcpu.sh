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
claim "each sleep" test "$(waits hrtimer_nanosleep)" -ge 50 # of 60: a busy machine runs a thread late, which then does not wait
claim "for the lock, whose holder sleeps" test "$(waits futex_wait)" -ge 1
claim "for the threads" test "$(waits "$name\`main")" -ge 1
claim "in the kernel" grep -q '`hrtimer_nanosleep'
claim "up to the threads' first function" awk '/`work\+/ { getline; found = found || /libc/ } END { exit !found }'
# The C library has no unwind rules for the instructions of clone3() in a thread that begins.
claim "no stack is cut" awk '/\[cut:/ && before !~ /`clone3/ { exit 1 } { before = $0 }'
