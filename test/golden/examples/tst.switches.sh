#!/bin/bash
# ASSERTION: switches.d counts a thread that sleeps a hundred times as giving up the CPU as often.
. ./common.sh
mkfifo "$tmpdir/fifo"
example switches.d -c "$(workload <<END
named
exec 3<>$tmpdir/fifo
for i in {1..100}; do read -t 0.002 -u 3; done
END
)"
claim "sleeps" between 80 200 "$(awk -v name=$name '$1 == name && $2 == "gave" { print $4 }' "$out")"
