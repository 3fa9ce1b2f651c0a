#!/bin/bash
# ASSERTION: slowcalls.d shows a call that takes 60 ms when asked for those of 50 ms, and none that is faster.
. ./common.sh
sleep=$(program sleep)
example slowcalls.d -c "$sleep 0.06" 50
claim "the slow call" awk -v name=$name '$1 == name && $3 == "clock_nanosleep" && $4 >= 60000 && $5 == 0 { n++ } END { exit n != 1 }'
claim "no faster one" awk 'NR > 1 && NF && $(NF - 1) < 50000 { bad = 1 } END { exit bad }'
