#!/bin/bash
# ASSERTION: sysflow.d shows entries and returns of a process in order, with arguments and results.
. ./common.sh
dd=$(program dd)
example sysflow.d -c "$dd if=/dev/zero of=/dev/null bs=4096 count=2 status=none"
claim "two writes" [ "$(grep -cE '^ +[0-9]+ +=> write +\(0x1, 0x[0-9a-f]+, 0x1000\)$' "$out")" = 2 ]
claim "each with its return" [ "$(grep -A1 '=> write' "$out" | grep -cE '^ +[0-9]+ +<= write +(= 4096)$')" = 2 ]
claim "the end of the process has no return" grep -qE '=> exit_group'
