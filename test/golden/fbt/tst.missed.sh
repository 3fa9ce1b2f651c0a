#!/bin/bash
# ASSERTION: calls that the kernel does not run a program for, because one runs on the CPU, are counted: each of a known
#   number of calls is either seen or reported missed.
# SECTION: fbt; Drops
# @@timeout: 60
. ../fbt/common.sh
calls=1000
cat >call.py <<P
import ctypes
ask = ctypes.CDLL(None).sched_get_priority_max
for _ in range($calls):
    ask(0)
P
# The first function's clause calls the second one, out of a helper: where both share a program, that is the one running.
"$dtrace" -qn 'int outer, inner, drawn;
fbt::__x64_sys_sched_get_priority_max:entry /pid == $target/ { outer++; drawn += rand(); }
fbt::bpf_user_rnd_u32:entry /pid == $target/ { inner++; }
END { printf("%d %d\n", outer, inner); }' -xledger=json -v -c "/usr/bin/python3 call.py" 2>err >out
read -r outer inner < <(grep -E '^[0-9]+ [0-9]+$' out)
missed=$(grep '"losses"' err | grep -o '"count":[0-9]*' | awk -F: '{ sum += $2 } END { print sum + 0 }')
printed=$(sed -n 's/^dtrace: \([0-9]*\) program not run by the kernel.*/\1/p' err | awk '{ sum += $1 } END { print sum + 0 }')
echo "seen or missed $((outer + inner + missed))"
[ -s out ] || cat err
claim "messages agree with the ledger" test "$printed" = "$missed"
# In one link one program serves both functions; out of the functions themselves each is called a copy of its own.
if grep -q 'by kprobe_multi' err; then expected=$calls; else expected=0; fi
claim "as many as its mechanism misses" test "$missed" -ge $expected -a "$inner" -le $((calls - expected))
