#!/bin/bash
# ASSERTION: runqslower.d shows a thread that is woken and gets its CPU 20 ms later, and the thread that had it until then.
# @@timeout: 180      @@tags: long release
. ./common.sh
cat >"$tmpdir/load.py" <<PY
# Both threads run on one CPU only, and the first one before the second.
import os, time
cpu = min(os.sched_getaffinity(0))
os.sched_setaffinity(0, [cpu])
to_child, wake = os.pipe()
slept, to_parent = os.pipe()
child = os.fork()
def spin(ns):
    until = time.monotonic_ns() + ns
    while time.monotonic_ns() < until: pass
if child == 0:
    os.close(wake)
    open("/proc/self/comm", "w").write("$name")
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    os.write(to_parent, b"r")
    while os.read(to_child, 1): os.write(to_parent, b"r")
    os._exit(0)
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(2))
for _ in range(5):
    os.read(slept, 1)
    while open(f"/proc/{child}/stat").read().rsplit(") ", 1)[1][0] != "S": time.sleep(0.01)
    os.write(wake, b"w")
    spin(20_000_000)
    time.sleep(0.05)
os.close(wake)
os.wait()
print(cpu, os.getpid(), child, file=open("$tmpdir/facts", "w"))
PY
load="$python $tmpdir/load.py"
tool runqslower.d -n "$name" -m 15000 -c "$load"
read -r cpu parent child <"$tmpdir/facts"
# PID TID COMM CPU LAT(us) PREVTID PREVCOMM
claim "five waits of 20 ms" awk -v name="$name" -v child="$child" -v cpu="$cpu" '$3 == name && $1 == child && $2 == child && $4 == cpu &&
  $5 >= 19900 && $5 < 20000000 { n++ } END { exit n != 5 }'
claim "for the first thread" awk -v parent="$parent" '$6 == parent && $7 ~ /^python/ { n++ } END { exit n < 1 }'
awk_claim "of the chosen thread" 'NR > 1 && $3 != name { bad = 1 } END { exit bad }'
tool runqslower.d -n "$name" -m 100000000 -c "$load"
awk_claim "-m" 'END { exit NR != 1 }'
