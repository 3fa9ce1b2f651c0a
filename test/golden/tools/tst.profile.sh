#!/bin/bash
# ASSERTION: profile.d, hotuser.d and hotkernel.d find the functions that a program and the kernel spend their time in.
# @@timeout: 180      @@tags: long release
. ./common.sh
spin=$(program "$triggers/spin") # a second of processor time in spin_here()
# A machine that is busy or emulated takes fewer than 500 samples in a second of processor time.
samples='function most(part, all) { return part >= 30 && part >= 0.8 * all }'

tool profile.d -U -m 1 -F 500 -c "$spin 1"
claim "profile: the stack with most samples is that of the loop" awk -v name="$name" \
  'NR == 2 && $1 ~ "^" name "`spin_here" { a = 1 } $1 ~ "^" name "`main" { b = 1 } $1 == name { n++; s = $2 }
  END { exit !(a && b && n == 1 && s >= 30) }'
tool hotuser.d -F 500 -c "$spin 1"
claim "hotuser: the function" awk -v name="$name" "$samples"' NR > 1 { all += $2 } $1 == name "`spin_here" { s = $2 } END { exit !most(s, all) }'
tool hotuser.d -M -F 500 -c "$spin 1"
claim "hotuser -M: the program" awk -v name="$name" "$samples"' NR > 1 { all += $2 } $1 == name { s = $2 } END { exit !most(s, all) }'

dd=$(program dd)
tool hotkernel.d -F 500 -c "$dd if=/dev/zero of=/dev/null bs=16M count=500 status=none"
claim "hotkernel: functions of the kernel, with samples" awk 'NR == 2 { exit !($1 ~ /^vmlinux`/ && $2 > 10) }'
tool hotkernel.d -M -F 500 -c "$dd if=/dev/zero of=/dev/null bs=16M count=500 status=none"
claim "hotkernel -M: the kernel" awk 'NR == 2 { exit !($1 == "vmlinux" && $2 > 10) }'
tool profile.d -K -m 1 -c "$dd if=/dev/zero of=/dev/null bs=16M count=500 status=none"
claim "profile -K: a stack of the kernel, that of a read" grep -q '^vmlinux`ksys_read'
