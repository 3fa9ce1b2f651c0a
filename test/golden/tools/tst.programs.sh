#!/bin/bash
# ASSERTION: memleak.d and plockstat.d find the memory that a program keeps, and the lock that its threads wait for.
# @@timeout: 180      @@tags: long release
. ./common.sh
contend=$(program "$triggers/contend")

tool memleak.d -c "$contend 1 50"
awk_claim "memleak: 50 times 1000 bytes, and none of what is freed" \
  '$1 ~ "^" name "`keep" { here = 1 } $2 == "bytes" { if (here && $1 > 0) { n++; bytes += $1 } here = 0 } END { exit n != 1 || bytes != 50000 }'
tool plockstat.d -m 500000 -c "$contend 20 1"
awk_claim "plockstat: the function that waits, most of 20 ms" \
  '$1 ~ "^" name "`hold" { here = 1 } /waits/ { if (here && $1 == "pthread_mutex_lock") { n++; waits = $2; us = $4 } here = 0 }
  END { exit !(n == 1 && waits > 0 && us >= 1000 * waits / 2 && us >= 5000) }'
refused() {
  "$tools/dtrace-tool" "$@" 2>&1 >/dev/null
  echo "status $?"
}
refused memleak.d
refused plockstat.d -n x
