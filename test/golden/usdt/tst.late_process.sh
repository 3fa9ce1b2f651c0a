#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a glob over processes sees processes of a known file that start after the tracer; a number names
# one process only. (Python 3.11 has function-entry for all functions only while its lines are traced as well.)
. ./common.sh
mkfifo "$tmpdir/in"
$system_python -c 'import sys; sys.stdin.read()' <"$tmpdir/in" &
first=$!
exec 5>"$tmpdir/in"
until grep -q python3 "/proc/$first/maps"; do sleep 0.05; done
cat >"$tmpdir/late.py" <<'P'
def late(): pass
for i in range(7): late()
P
trace -q -n 'BEGIN { printf("ready\n"); }
  python*:::line { lines++; }
  python*:::function-entry /copyinstr(arg1) == "late"/ { @[pid] = count(); @mod[probemod, probename] = count(); }
  python'$first':::function-entry /copyinstr(arg1) == "late"/ { wrong++; }
  END { printa("%d %@d\n", @); printa("%s %s %@d\n", @mod); printf("wrong %d\n", wrong); }'
$system_python "$tmpdir/late.py" &
late=$!
wait $late
end_trace
sed "s/$late/PID/g; s/^${system_python##*/} /python3 /" "$out"
exec 5>&-
wait $first
