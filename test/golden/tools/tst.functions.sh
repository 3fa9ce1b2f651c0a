#!/bin/bash
# ASSERTION: funccount.d, funclatency.d and stackcount.d take functions of the program that is run, system calls and tracepoints,
#   and count and time them right.
# @@timeout: 180      @@tags: long release
. ./common.sh
cat >"$tmpdir/load.py" <<'PY'
import ctypes, os, select
libc = ctypes.CDLL("libc.so.6")
for _ in range(100): libc.ffs(5)
for _ in range(40): os.getppid()
for _ in range(10): select.select([], [], [], 0.01)
PY
load="$python $tmpdir/load.py"

tool funccount.d -c "$load" libc:ffs
awk_claim "funccount: a function of a library" '$1 == "libc.so.6" && $2 == "ffs" && $3 == 100 { n++ } END { exit n != 1 || NR != 2 }'
tool funccount.d -c "$load" 'syscall::getp*id:entry'
awk_claim "funccount: system calls, by a pattern" '$2 == "getppid" && $3 == 40 { n++ } END { exit n != 1 }'

tool funclatency.d -s -c "$load" 'syscall::*select*'
awk_claim "funclatency -s: ten waits of 10 ms" \
  'NR == 2 { exit !($1 ~ /^p?select6?$/ && $2 == 10 && $3 >= 10000000 && $3 <= $4 && $4 <= $5 && $6 >= 10000000) }'
tool funclatency.d -c "$load" libc:select
claim "funclatency: as a distribution, and in the library" test "$(total 'select, nanoseconds')" = 10
claim "funclatency: none below 8 ms" awk '$NF > 0 && $1 ~ /^[0-9]+$/ && $1 < 8388608 { bad = 1 } END { exit bad }'

tool stackcount.d -c "$load" syscall::getppid:entry
awk_claim "stackcount: by stacks" '$1 ~ /^python/ && NF == 2 { n += $2 } /getppid/ { found = 1 } END { exit n != 40 || !found }'
tool stackcount.d -K -c "$load" sdt:raw_syscalls::sys_exit
claim "stackcount -K: of the kernel" grep -qE '^vmlinux`(do_syscall_64|invoke_syscall|do_el0_svc)'

refused() {
  "$tools/dtrace-tool" "$@" 2>&1 >/dev/null | sed "s, script /.*/, script TOOLS/,"
  echo "status ${PIPESTATUS[0]}"
}
refused funccount.d
refused funccount.d libc:ffs
refused funccount.d a b
refused funclatency.d syscall::read:entry
refused funccount.d a:b:c:d:e
refused funccount.d 'syscall::nosuch:entry'
