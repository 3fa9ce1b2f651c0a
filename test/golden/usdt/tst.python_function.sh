#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: function-entry of the distribution's Python has file, name and line; the probe's counter in the program is 0
# before, raised while the tracer is there, and 0 again after it was killed.
# @@shared
. ./common.sh
cat >"$tmpdir/prog.py" <<'P'
import sys
def work(n):
    return n + 1
print("up", flush=True)
for line in sys.stdin:
    for i in range(10):
        work(i)
    print("done", flush=True)
P
mkfifo "$tmpdir/in"
$system_python "$tmpdir/prog.py" <"$tmpdir/in" >"$tmpdir/answers" &
python=$!
exec 5>"$tmpdir/in"
until grep -qs up "$tmpdir/answers"; do sleep 0.05; done

counter() { counter_of "$python" $system_python function__entry; }

echo "before: $(counter)"
trace -q -n 'BEGIN { printf("ready\n"); }
  python'$python':::line { lines++; }
  python'$python':::function-entry /copyinstr(arg1) == "work"/ { @[basename(copyinstr(arg0)), copyinstr(arg1), (int)arg2] = count(); n++; }
  python'$python':::function-entry /n == 10/ { exit(0); }
  END { printa("%s %s line %d: %@d\n", @); }'
[ "$(counter)" -gt 0 ] && echo "raised"
echo go >&5
trace_ended
grep prog.py "$out"
echo "after: $(counter)"
trace -q -n 'BEGIN { printf("ready\n"); } python*:::function-entry { @ = count(); }'
[ "$(counter)" -gt 0 ] && echo "raised"
{ kill -KILL "$tracer"; wait "$tracer"; } 2>/dev/null
for i in $(seq 100); do [ "$(counter)" = 0 ] && break; sleep 0.1; done
echo "after the tracer was killed: $(counter)"
echo go >&5
until [ "$(grep -c done "$tmpdir/answers")" = 2 ]; do sleep 0.05; done
echo "the program goes on"
exec 5>&-
wait "$python"
