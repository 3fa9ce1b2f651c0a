#!/bin/bash
# ASSERTION: syscount.d counts every call of a program that makes 20000 writes.
. ./common.sh
dd=$(program dd)
example syscount.d -c "$dd if=/dev/zero of=/dev/null bs=1 count=20000 status=none"
claim "writes are counted" awk -v name=$name '$1 == name && $2 == "write" && $3 == 20000 { found = 1 } END { exit !found }'
claim "twenty lines at most" awk 'NF == 3 { lines++ } END { exit lines > 21 }'
