#!/bin/bash
# ASSERTION: calls that the kernel does not run a program for, because one runs on the CPU, are counted: each of a known
#   number of calls is either seen or reported missed, by each mechanism that counts.
# SECTION: fbt; Drops
# @@timeout: 60
. ../../runner/machine.sh
. ../fbt/common.sh
calls=1000
cat >call.py <<P
import ctypes
ask = ctypes.CDLL(None).sched_get_priority_max
for _ in range($calls):
    ask(0)
P

# The first function's clause calls the second one, out of a helper, and the second one's would call itself. By links and
# kprobes one program serves both functions: it is the one that runs. Out of the functions themselves each is called a copy
# of its own, and only the call of itself is missed.
try() {
  DTRACE_KERNEL_LACKS=$1 "$dtrace" -qn 'int outer, inner, drawn;
  fbt::'$call_prefix'sched_get_priority_max:entry /pid == $target/ { outer++; drawn += rand(); }
  fbt::bpf_user_rnd_u32:entry /pid == $target/ { inner++; drawn += rand(); }
  END { printf("%d %d\n", outer, inner); }' -xledger=json -v -c "/usr/bin/python3 call.py" 2>err >out
  read -r outer inner < <(grep -E '^[0-9]+ [0-9]+$' out)
  missed=$(grep '"losses"' err | grep -o '"count":[0-9]*' | awk -F: '{ sum += $2 } END { print sum + 0 }')
  printed=$(sed -n 's/^dtrace: \([0-9]*\) program not run by the kernel.*/\1/p' err | awk '{ sum += $1 } END { print sum + 0 }')
  [ -s out ] || cat err
  claim "messages agree with the ledger" test "$printed" = "$missed"
  local expected="$calls 0 $calls"
  if grep -q 'by fentry' err; then expected="$calls $calls $calls"; fi
  claim "each call is seen or missed" test "$outer $inner $missed" = "$expected"
}
try ''
try kprobe_multi
