#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: entry and return of every function of a program make one tree: what begins ends, in the opposite order, and the
# functions its author wrote are called as he wrote them. (_start alone has no return.)
dtrace=$1
$dtrace $dt_flags -F -c "$triggers/descend" -n 'pid$target:a.out::entry, pid$target:a.out::return { }' 2>/dev/null |
  sed -n 's/^ *[0-9]* *\(->\|<-\) */\1 /p' | sed 's/ *$//' >"$tmpdir/flow"
awk '$2 == "_start" { next }
  $1 == "->" { stack[++depth] = $2; n++ }
  $1 == "<-" { if (stack[depth--] != $2) print "out of order: " $2 }
  END { print (depth == 0 ? "all ended" : depth " left open") (n >= 3 ? "" : ", too few") }' "$tmpdir/flow"
grep -w 'main\|outer\|inner' "$tmpdir/flow"
