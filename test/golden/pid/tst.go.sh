#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a program whose run-time system moves its stacks (Go) computes what it does untraced while calls, returns and every
# instruction of its functions are probed, in many goroutines, and no return is missed. A function is entered anew when its
# stack has been moved, so entries may be more.
dtrace=$1
"$triggers/goroutines"
$dtrace $dt_flags -q -c "$triggers/goroutines" -n 'pid$target:a.out:main.work:entry, pid$target:a.out:main.work:return,
  pid$target:a.out:main.deep:return { @[probefunc, probename] = count(); } pid$target:a.out:main.deep:entry { deep++; }
  END { printa("%s %s %@d\n", @); printf("deep %d\n", deep >= 40020); }' 2>&1 | grep . | sort
$dtrace $dt_flags -q -c "$triggers/goroutines" -n 'pid$target:a.out:main.deep: { n++; } END { printf("instructions %d\n", n > 40020 * 10); }' 2>&1 | grep .
$dtrace $dt_flags -q -c "$triggers/goroutines" -n 'pid$target:a.out:runtime.*stack*:entry, pid$target:a.out:main*:return { n++; } END { printf("%d\n", n > 80000); }' 2>&1 | grep .
