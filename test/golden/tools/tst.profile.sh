#!/bin/bash
# ASSERTION: profile.d, hotuser.d and hotkernel.d find the functions that a program and the kernel spend their time in.
# @@timeout: 180      @@tags: long release
. ./common.sh
spin=$(program "$triggers/spin") # a second of processor time in spin_here()
least=150
[ -z "$slow" ] || least=30 # an emulated processor stands still while another runs, and its clock does not

tool profile.d -U -m 1 -F 500 -c "$spin 1"
claim "profile: the stack with most samples is that of the loop" awk -v name="$name" -v least=$least \
  'NR == 2 && $1 ~ "^" name "`spin_here" { a = 1 } $1 ~ "^" name "`main" { b = 1 } $1 == name { n++; s = $2 }
  END { exit !(a && b && n == 1 && s >= least && s <= 700) }'
tool hotuser.d -F 500 -c "$spin 1"
claim "hotuser: the function" awk -v name="$name" -v least=$least 'NR == 2 { exit !($1 == name "`spin_here" && $2 >= least && $2 <= 700) }'
tool hotuser.d -M -F 500 -c "$spin 1"
claim "hotuser -M: the program" awk -v name="$name" -v least=$least 'NR == 2 { exit !($1 == name && $2 >= least && $2 <= 700) }'

dd=$(program dd)
tool hotkernel.d -F 500 -c "$dd if=/dev/zero of=/dev/null bs=16M count=500 status=none"
claim "hotkernel: functions of the kernel, with samples" awk 'NR == 2 { exit !($1 ~ /^vmlinux`/ && $2 > 10) }'
tool hotkernel.d -M -F 500 -c "$dd if=/dev/zero of=/dev/null bs=16M count=500 status=none"
claim "hotkernel -M: the kernel" awk 'NR == 2 { exit !($1 == "vmlinux" && $2 > 10) }'
tool profile.d -K -m 1 -c "$dd if=/dev/zero of=/dev/null bs=16M count=500 status=none"
claim "profile -K: a stack of the kernel, that of a read" grep -q '^vmlinux`ksys_read'
