#!/bin/bash
# ASSERTION: intrstat.d, lockstat.d, capable.d, oomkill.d and iostat.d show what the kernel does for a load.
# @@timeout: 180      @@tags: long release
. ./common.sh
cat >"$tmpdir/load.py" <<PY
import os
os.setgroups([]); os.setgid(65534); os.setuid(65534)
for _ in range(3):
    try: os.chown("/dev/null", 1, 1)
    except OSError: pass
PY
if "$dtrace" -ln sdt:capability::cap_capable 2>/dev/null | grep -q cap_capable; then
  tool capable.d -c "$python $tmpdir/load.py"
  awk_claim "capable: used" '$4 == "CAP_SETUID" && $5 == "0" && $3 == 0 { n++ } END { exit n < 1 }'
  awk_claim "capable: denied" '$4 == "CAP_CHOWN" && $5 == "EPERM" && $3 == 65534 { n++ } END { exit n != 3 }'
  tool capable.d -x -c "$python $tmpdir/load.py"
  awk_claim "capable -x" 'NR > 1 && $5 != "EPERM" { bad = 1 } END { exit bad || NR < 4 }'
else
  printf 'ok: capable: used\nok: capable: denied\nok: capable -x\n' # before Linux 6.14
fi

# Reads of a disk interrupt; timers are soft interrupts.
dd=$(program dd)
tool intrstat.d -s -t 1
awk_claim "intrstat -s: timers" '$3 == "TIMER" && $4 > 0 && $5 >= $6 { n++ } END { exit n < 1 }'
awk_claim "intrstat -s: one row for each CPU and kind" 'NR > 1 && seen[$1 " " $3]++ { bad = 1 } END { exit bad }'
tool intrstat.d -t 1
awk_claim "intrstat: sums and maxima" 'NR > 1 && !($4 > 0 && $5 >= $6) { bad = 1 } END { exit bad || NR < 1 }'

# Threads that hold one lock of the kernel in turn: all write to one pipe. Processors that one thread emulates are seldom in it together.
[ -z "$slow" ] && writes_for=1 || writes_for=6
cat >"$tmpdir/pipe.py" <<PY
import os, time
r, w = os.pipe()
if os.fork() == 0:
    os.close(w)
    while os.read(r, 65536): pass
    os._exit(0)
os.close(r)
children = []
for _ in range(4):
    if (child := os.fork()) == 0:
        until = time.monotonic() + $writes_for
        while time.monotonic() < until: os.write(w, b"x" * 4096)
        os._exit(0)
    children.append(child)
os.close(w)
for child in children: os.waitpid(child, 0)
os.wait()
PY
# On a busy machine the writers may run one after another, and not wait for each other.
lockstat_until() { # PATTERN ARGUMENTS...
  for _ in $(seq 10); do
    tool lockstat.d "${@:2}" -c "$python $tmpdir/pipe.py"
    ! grep -qE "$1" "$out" || break
  done
}
lockstat_until '^mutex +0x[0-9a-f]+ +[0-9]{5}'
awk_claim "lockstat: the mutex of a pipe" '$1 == "mutex" && $2 ~ /^0x/ && $3 > 10000 { n++ } END { exit n < 1 }'
lockstat_until '`(anon_)?pipe_(write|read)\+' -s
claim "lockstat -s: where" grep -qE '`(anon_)?pipe_(write|read)\+'

if "$dtrace" -lvn sdt:oom::mark_victim 2>/dev/null | grep -q 'args\[0\]: struct task_struct' && # since Linux 6.9
  [ -w /sys/fs/cgroup/memory ] && mkdir "/sys/fs/cgroup/memory/$name" 2>/dev/null; then
  echo 30000000 >"/sys/fs/cgroup/memory/$name/memory.limit_in_bytes"
  cat >"$tmpdir/eat" <<SCRIPT
bash -c 'echo \$\$ >/sys/fs/cgroup/memory/$name/cgroup.procs; exec $python -c "b = bytearray(200000000)"'
exit 0
SCRIPT
  awaited=python tool_beside "bash $tmpdir/eat" oomkill.d 2>/dev/null
  rmdir "/sys/fs/cgroup/memory/$name"
  awk_claim "oomkill: who is killed, and its memory" '$2 ~ /^python/ && $3 == 0 && $4 > 5000 && $4 < 31000 && $5 ~ /^python/ { n++ } END { exit n != 1 }'
else
  echo "ok: oomkill: who is killed, and its memory" # no control group of memory, of version 1, here
fi

if bash ./tst.io.x >/dev/null; then
  device=$(basename "$(readlink -f "/sys/dev/block/$(stat -c '%Hd:%Ld' "$tmpdir")")")
  $dd if=/dev/zero of="$tmpdir/blob" bs=64k count=32 oflag=direct status=none
  sync
  "$tools/dtrace-tool" iostat.d -i 1 >"$out" 2>"$err" </dev/null &
  tracer=$!
  until grep -q DEVICE "$out"; do sleep 0.1; done
  $dd if="$tmpdir/blob" of=/dev/null bs=64k iflag=direct status=none
  for _ in $(seq 300); do
    ! awk -v d="$device" '$1 == d { r += $2 } END { exit r < 32 }' "$out" || break
    sleep 0.1
  done
  kill -INT $tracer
  wait $tracer
  without_preempted "$err"
  claim "iostat: reads and bytes" awk -v d="$device" '$1 == d { r += $2; k += $3; if ($2 && !$4) bad = 1 }
    END { exit bad || r < 32 || k < 2097 }'
else
  echo "ok: iostat: reads and bytes" # no disk
fi
