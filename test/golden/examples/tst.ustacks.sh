#!/bin/bash
# ASSERTION: ustacks.d finds functions of the program by name, after it has ended.
. ./common.sh
calls=$(program "$triggers/syscalls")
example ustacks.d -c "$calls 3000000"
claim "frames have names" grep -qE "^ *$name\`main(\+0x[0-9a-f]+)?$"
claim "samples are counted" awk 'NF == 1 && $1 ~ /^[0-9]+$/ { sum += $1 } END { exit sum < 10 }'
