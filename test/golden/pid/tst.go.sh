#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a program whose run-time system moves its stacks (Go) computes what it does untraced while calls, returns and every
# instruction of its functions are probed, in many goroutines, and no return is missed. A function is entered anew when its
# stack has been moved, so entries may be more.
# @@shared    @@tags: software
dtrace=$1
count=$((${slow:-0} ? 4 : 20))
"$triggers/goroutines" $count
each() { awk -v n=$count '/[0-9]$/ && !/sum/ { $NF = $NF / n } NF'; }
$dtrace $dt_flags -q -c "$triggers/goroutines $count" -n 'pid$target:a.out:main.work:entry, pid$target:a.out:main.work:return,
  pid$target:a.out:main.deep:return { @[probefunc, probename] = count(); } pid$target:a.out:main.deep:entry { deep++; }
  END { printa("%s %s %@d\n", @); printf("%s", deep >= '$((2001 * count))' ? "deep" : "not deep"); }' 2>&1 | each | sort
$dtrace $dt_flags -q -c "$triggers/goroutines $count" -n 'pid$target:a.out:main.deep: { n++; } END { printf("%s", n > '$((20010 * count))' ? "instructions" : "few"); }' 2>&1 | grep .
$dtrace $dt_flags -q -c "$triggers/goroutines $count" -n 'pid$target:a.out:runtime.*stack*:entry, pid$target:a.out:main*:return { n++; } END { printf("%s", n > '$((4000 * count))' ? "many" : "few"); }' 2>&1 | grep .
