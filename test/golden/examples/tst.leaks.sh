#!/bin/bash
# ASSERTION: leaks.d shows what was allocated and not given back, to the byte, by the stack that asked for it.
. ./common.sh
contend=$(program "$triggers/contend")
example leaks.d -c "$contend 1 200"
claim "200 blocks of 1000 bytes" awk '/bytes$/ { if (is_there && $1 == 200000) found = 1; is_there = 0 } /`keep/ { is_there = 1 } END { exit !found }'
claim "and none of those that were given back" awk '/`keep/ { is_there = 1 } / bytes$/ { if (is_there && $1 % 1000) exit 1; is_there = 0 }'
claim "no stack is cut" awk '/\[cut:/ { exit 1 }'
