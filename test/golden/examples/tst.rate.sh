#!/bin/bash
# ASSERTION: rate.d prints twice when asked for two seconds, and counts anew in the second.
. ./common.sh
dd=$(program dd)
"$dd" if=/dev/zero of=/dev/null bs=1 status=none &
example rate.d 2
kill $!
wait 2>/dev/null
claim "two reports" [ "$(grep -cE '^[0-9]{4} [A-Z][a-z]{2} [ 0-9]{2} ' "$out")" = 2 ]
claim "a busy program in both" [ "$(awk -v name=$name '$1 == name && $2 > 1000' "$out" | wc -l)" = 2 ]
claim "the second counts anew" awk -v name=$name '$1 == name { count[++n] = $2 } END { exit !(count[2] < 1.9 * count[1]) }'
