#!/bin/bash
# ASSERTION: runqlat.d sees a thread that sleeps a hundred times wait for a CPU as often.
. ./common.sh
mkfifo "$tmpdir/fifo"
example runqlat.d -c "$(workload <<END
named
exec 3<>$tmpdir/fifo
for i in {1..100}; do read -t 0.002 -u 3; done
END
)"
claim "wake-ups" between 80 200 "$(total "$name")"
