#!/bin/bash
# ASSERTION: runqlat.d, runqlen.d, cpudist.d and offcputime.d see as many waits, and as long, as a load makes.
# @@timeout: 180      @@tags: long release
. ./common.sh
cat >"$tmpdir/load.py" <<PY
import os, select, time
open("/proc/self/comm", "w").write("$name")
for _ in range(20): select.select([], [], [], 0.01)
until = time.monotonic() + 0.2
while time.monotonic() < until: pass
PY
load="$python $tmpdir/load.py"

tool runqlat.d -P -s -c "$load"
# A percentile is the end of a bucket of powers of two: the largest is not below the bucket, and may be in a later one.
awk_claim "runqlat -P -s: at least 20 waits for a CPU" '$1 == name { exit !($2 >= 20 && $3 <= $4 && $4 <= $5 && $6 >= ($5 + 1) / 2 && $6 > 0) }'
tool runqlat.d -n "$name" -c "$load"
awk_claim "runqlat: one distribution" '/microseconds/ { n++ } END { exit n != 1 }'
claim "runqlat: of at least 20" test "$(total 'all threads')" -ge 20

tool cpudist.d -n "$name" -c "$load"
claim "cpudist: at least 20 runs" test "$(total 'all threads')" -ge 20
tool cpudist.d -P -n "$name" -c "$load"
claim "cpudist -P: of the thread" grep -q "^$name, microseconds"

# 99 samples a second of each CPU, for one second and what the start and the end take. In some virtual machines the clock of a
# CPU that has nothing to do stands still.
busy=()
for ((cpu = 0; cpu < $(nproc); ++cpu)); do
  taskset -c $cpu timeout 60 sh -c 'while :; do :; done' &
  busy+=($!)
done
tool runqlen.d -t 1
claim "runqlen: samples of all CPUs" between $((80 * $(nproc))) $((160 * $(nproc))) "$(total 'threads that wait')"
tool runqlen.d -C -t 1
claim "runqlen -C: a distribution each" test "$(grep -c '^CPU' "$out")" = "$(nproc)"
kill "${busy[@]}"
wait "${busy[@]}"

tool offcputime.d -n "$name" -c "$load"
awk_claim "offcputime: 20 times 10 ms" '$1 == name && $3 == "us" { us += $2 } END { exit !(us >= 200000 && us < 20000000) }'
claim "offcputime: stacks of the kernel and of the program" awk '/^vmlinux`/ { k++ } /^libc.so.6`/ { u++ } END { exit !(k && u) }'
tool offcputime.d -U -m 1 -n "$name" -c "$load"
awk_claim "offcputime -U -m 1: the longest, of the program only" \
  '/^vmlinux/ { bad = 1 } $1 == name { n++; us = $2 } END { exit bad || n != 1 || us < 100000 }'
