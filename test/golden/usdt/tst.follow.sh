#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: -x follow=fork: static probes of $target fire in its children, which exec the program that has them or fork
# from it; not in another process with the program. @@timeout: 60
. ./common.sh
cat >"$tmpdir/late.py" <<'P'
import os
def late(): pass
for i in range(7): late()
child = os.fork()
for i in range(3): late()
if child: os.waitpid(child, 0)
P
count='python$target:::line { lines++; }
  python$target:::function-entry /copyinstr(arg1) == "late"/ { @[pid == $target] = count(); @n = count(); }
  END { printa("in the target itself? %d: %@d\n", @); printa("%@d\n", @n); }'
echo "== forked"
"$dtrace" $dt_flags -q -x follow=fork -x evaltime=main -n "$count" -c "$system_python $tmpdir/late.py" 2>&1
echo "== executed"
"$dtrace" $dt_flags -qZ -x follow=fork -n "$count" -c "sh -c '$system_python $tmpdir/late.py; exit 0'" 2>&1
echo "== the default"
"$dtrace" $dt_flags -q -x evaltime=main -n "$count" -c "$system_python $tmpdir/late.py" 2>&1
exit 0
