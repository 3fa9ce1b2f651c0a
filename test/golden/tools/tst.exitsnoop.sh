#!/bin/bash
# ASSERTION: exitsnoop.d shows the status or the signal with which processes and threads end, and how long they lived.
# @@timeout: 180      @@tags: long release
. ./common.sh
cat >"$tmpdir/load.py" <<PY
import os, resource, signal, sys, threading, time
def named(name): open("/proc/self/comm", "w").write(name)
def child(name, then):
    if os.fork() == 0:
        named("$name" + name)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        then()
    os.wait()
child("a", lambda: os._exit(0))
child("b", lambda: (time.sleep(0.3), os._exit(7)))
child("c", lambda: os.kill(os.getpid(), signal.SIGKILL))
child("d", lambda: os.kill(os.getpid(), signal.SIGTERM))
# Another thread ends the process while the first one waits.
def ends(): os._exit(9)
child("e", lambda: (threading.Thread(target=ends).start(), time.sleep(60)))
# A thread that ends before its process.
def two():
    t = threading.Thread(target=time.sleep, args=(0.2,))
    t.start()
    t.join()
    while len(os.listdir("/proc/self/task")) > 1: time.sleep(0.01) # join() returns before the kernel's thread has ended
    os._exit(4)
child("f", two)
print(os.getpid(), file=open("$tmpdir/pid", "w"))
PY
load="$python $tmpdir/load.py"
# PID PPID TID COMM AGE(s) STATUS SIGNAL CORE
line() { # COMM STATUS SIGNAL: once, with the load as its parent
  awk -v comm="$name$1" -v ppid="$(cat "$tmpdir/pid")" -v status="$2" -v signal="$3" \
    '$4 == comm { n++; bad = bad || $2 != ppid || $6 != status || $7 != signal || $8 != "no" } END { exit n != 1 || bad }' "$out"
}
tool exitsnoop.d -c "$load"
claim "a status of 0" line a 0 0
claim "a status of 7" line b 7 0
claim "a signal" line c - SIGKILL
claim "another signal" line d - SIGTERM
claim "a process that another thread ends" line e 9 0
claim "one line for a process of two threads" line f 4 0
awk_claim "ages" '$4 ~ name { age[substr($4, length(name) + 1)] = $5 } END { exit !(age["b"] >= 0.3 && age["b"] < 3600 && age["f"] >= 0.2) }'
tool exitsnoop.d -x -c "$load"
awk_claim "-x" '$4 ~ name { n++; bad = bad || $6 == "0" } END { exit n != 5 || bad }'
tool exitsnoop.d -T -c "$load"
awk_claim "-T: both threads, the process's last" '$1 != pid { n = 0; pid = $1 } $4 == name "f" { n++; s[n] = $6; first[n] = $1 == $3 }
  END { exit !(s[1] == "0" && !first[1] && s[2] == "4" && first[2]) }'
awk_claim "-T: the status of the process for all its threads" '$4 == name "e" { n++; bad = bad || $6 != 9 } END { exit n != 2 || bad }'
tool exitsnoop.d -n "${name}b" -c "$load"
awk_claim "-n" 'NR > 1 && $4 != name "b" { bad = 1 } END { exit bad || NR != 2 }'
ulimit -c unlimited
dumps=$(cat /proc/sys/kernel/core_pattern)
tool exitsnoop.d -c "bash -c 'cd $tmpdir; kill -SEGV \$\$'"
if [ "${dumps#|}" = "$dumps" ] && ls "$tmpdir"/core* >/dev/null 2>&1; then core=yes; else core=any; fi
claim "a core" awk -v core=$core '$7 == "SIGSEGV" && (core == "any" || $8 == core) { n++ } END { exit n != 1 }'
