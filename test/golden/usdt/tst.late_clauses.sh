#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: several clauses on a probe of a file that nobody had mapped when tracing began run in the order of the program and
# as one firing; so they do where globs overlap. (Python 3.11 has function-entry for all functions only while its lines are
# traced as well.)
. ./common.sh
cp $system_python "$tmpdir/python-late"
cat >"$tmpdir/loop.py" <<'P'
import os, sys, time
def late(): pass
while not os.path.exists(sys.argv[1]):
    late()
    time.sleep(0.005)
P
trace -Z -q -x temporal -n 'BEGIN { printf("ready\n"); }
  python*:python-late::line { lines++; }
  python*:python-late::function-entry /copyinstr(arg1) == "late"/ { self->in = 1; this->from = timestamp; printf("in"); }
  python*:python-late::function-* /self->in/ { printf(" any"); }
  python*:python-late::function-return /self->in/ { printf(" return"); this->at = timestamp; }
  python*:python-late::function-return /self->in/ { self->in = 0; printf(" %s\n", this->at == timestamp ? "once" : "twice"); }'
"$tmpdir/python-late" "$tmpdir/loop.py" "$tmpdir/stop" &
python=$!
for ((i = 0; i < 600; ++i)); do
  [ "$(grep -c once "$out")" -lt 20 ] || break
  sleep 0.05
done
touch "$tmpdir/stop"
wait $python
end_trace
sed 1,2d "$out" | grep . | sort -u
