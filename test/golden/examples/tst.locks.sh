#!/bin/bash
# ASSERTION: locks.d shows who waits for locks, by whole stacks, and for how long.
. ./common.sh
contend=$(program "$triggers/contend")
example locks.d -c "$contend 30 0"
claim "the function that wants the lock" grep -qE "^$name\`hold"
claim "by the mutex" grep -q '`.*pthread_mutex_lock'
claim "and that waits for threads" grep -qE "^$name\`main"
claim "as long as the lock is held" awk '/ ns$/ { sum += $1 } END { exit sum < 30000000 }'
claim "no stack is cut" awk '/\[cut:/ { exit 1 }'
