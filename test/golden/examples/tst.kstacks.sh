#!/bin/bash
# ASSERTION: kstacks.d finds kernel functions by name, and counts samples.
# @@tags: long
. ./common.sh
dd=$(program dd)
example kstacks.d -c "$dd if=/dev/zero of=/dev/null bs=256k count=40000 status=none"
claim "frames have names" grep -qE '^ *vmlinux`[a-zA-Z_][a-zA-Z0-9_.]*\+0x[0-9a-f]+$'
claim "samples are counted" awk 'NF == 1 && $1 ~ /^[0-9]+$/ { sum += $1 } END { exit sum < 10 }'
