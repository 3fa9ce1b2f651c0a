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
  '$1 $2 == "Mutexblock" && $5 ~ "^" name "`mutex$" && $6 ~ "^" name "`hold" { n++; count = $3; ns = $3 * $4 }
  END { exit !(n == 1 && count > 0 && ns >= 500000 * count && ns >= 5000000) }'
tool plockstat.d -H -m 900000 -c "$contend 20 1"
awk_claim "plockstat -H: 40 times held for 1 ms and more" \
  '$1 $2 == "Mutexhold" && $5 ~ "^" name "`mutex$" && $6 ~ "^" name "`hold" { n++; count = $3; avg = $4 } END { exit !(n == 1 && count == 40 && avg >= 1000000) }'
tool plockstat.d -s 2 -m 500000 -c "$contend 20 1"
claim "plockstat -s: stacks of the functions that wait" grep -q "^Mutex block of $name\`mutex$" 
awk_claim "plockstat -s: two frames, and a distribution" '$1 ~ "^" name "`hold" { a = 1 } $1 ~ "^" name "`work" { b = 1 } /Distribution/ { c = 1 } END { exit !(a && b && c) }'
tool plockstat.d -E -c "$(program "$triggers/plocks")"
awk_claim "plockstat -E: locks that were not got" '$1 $2 == "Mutexerror" && $4 ~ "`plain$" { got[$5] = $3 } END { exit !(got[16] == 1 && got[110] == 1) }'
tool plockstat.d -H -n 1 -c "$(program "$triggers/plocks")"
awk_claim "plockstat -n 1: one row, with its average" '/hold/ { n++; avg = $(NF - 2) } END { exit !(n == 1 && avg > 0) }'
refused() {
  "$tools/dtrace-tool" "$@" 2>&1 >/dev/null
  echo "status $?"
}
refused memleak.d
refused plockstat.d -q x
