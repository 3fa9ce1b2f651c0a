#!/bin/bash
# ASSERTION: softirqs.d counts as many soft interrupts as a load makes, and no more than the kernel counts; with their times.
# @@timeout: 180      @@tags: long release
. ./common.sh
# Each message is received before the next one is sent: so many soft interrupts of kind NET_RX.
cat >"$tmpdir/load.py" <<'PY'
import socket
a = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
b = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
a.bind(("127.0.0.1", 0))
for _ in range(500):
    b.sendto(b"x", a.getsockname())
    a.recv(10)
PY
# within: is no sum of a kind above what the kernel has counted meanwhile?
within() {
  awk 'FNR == 1 { file++ } file == 1 && FNR > 1 { kind = $1; sub(":", "", kind); for (i = 2; i <= NF; i++) most[kind] -= $i }
    file == 2 && FNR > 1 { kind = $1; sub(":", "", kind); for (i = 2; i <= NF; i++) most[kind] += $i }
    file == 3 && $2 in most { seen[$2] += $3; bad = bad || $4 < 0 || $5 > $4 || $4 > 60000000 }
    END { for (kind in seen) bad = bad || seen[kind] > most[kind]; exit bad || seen["NET_RX"] < 500 }' "$tmpdir/before" "$tmpdir/after" "$out"
}
cat /proc/softirqs >"$tmpdir/before"
tool_beside "$python $tmpdir/load.py" softirqs.d -i 1
cat /proc/softirqs >"$tmpdir/after"
claim "500 of NET_RX, and of no kind more than there were" within
awk_claim "all CPUs together" '$1 != "CPU" && $1 != "all" && NF { bad = 1 } END { exit bad }'
cat /proc/softirqs >"$tmpdir/before"
tool_beside "$python $tmpdir/load.py" softirqs.d -i 1 -C
cat /proc/softirqs >"$tmpdir/after"
claim "-C: the same" within
claim "-C: CPUs that are there" awk -v cpus="$(getconf _NPROCESSORS_CONF)" '$1 != "CPU" && NF && !($1 ~ /^[0-9]+$/ && $1 < cpus) { bad = 1 } END { exit bad }'
cat /proc/softirqs >"$tmpdir/before"
"$tools/dtrace-tool" softirqs.d -d -t 2 >"$out" 2>"$err" </dev/null
cat /proc/softirqs >"$tmpdir/after"
without_preempted "$err"
timers=$(awk '$1 == "TIMER:" { for (i = 2; i <= NF; i++) n += FILENAME ~ /after/ ? $i : -$i } END { print n }' "$tmpdir/before" "$tmpdir/after")
claim "-d: a distribution of timers" between 1 "$timers" "$(total 'CPU all TIMER, nanoseconds')"
