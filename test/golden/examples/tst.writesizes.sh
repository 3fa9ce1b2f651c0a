#!/bin/bash
# ASSERTION: writesizes.d knows calls, bytes and sizes of 100 writes of 4096 bytes to descriptor 1.
. ./common.sh
dd=$(program dd)
example writesizes.d -c "$dd if=/dev/zero of=/dev/null bs=4096 count=100 status=none"
claim "calls and bytes" grep -qE '^ +1 +100 +409600$'
claim "sizes" grep -qE '^ +4096 \|@{40} 100 *$'
