#!/bin/bash
# ASSERTION: every function can be probed at once where the kernel has kprobe_multi; where it has not, one sentence says so.
# SECTION: fbt
# @@timeout: 100
. ../fbt/common.sh
"$dtrace" -vqn 'fbt:::entry { @ = count(); } tick-1s { exit(0); }' 2>err >out
status=$?
if grep -q 'by kprobe_multi' err; then
  claim "tens of thousands are probed" test "$(sed -n 's/^dtrace: \([0-9]*\) kernel functions probed by.*/\1/p' err)" -gt 20000
  claim "and fire" awk 'NF == 1 && $1 > 1000 { found = 1 } END { exit !found }' out
else
  claim "it is refused" test $status = 1
  claim "in one sentence" grep -q 'this kernel lacks kprobe_multi' err
fi
