#!/bin/bash
# ASSERTION: every function can be probed at once where the kernel has kprobe_multi, and each knows its name; where it has
# not, one sentence says so.
# SECTION: fbt
# @@timeout: 100
. ../fbt/common.sh
"$dtrace" -vqn 'fbt:::entry { @ = count(); } fbt:::entry /probefunc == ""/ { @nameless = count(); } tick-1s { exit(0); }
	END { printa("%@d\n", @); printa("%@d nameless\n", @nameless); }' 2>err >out
status=$?
if grep -q 'by kprobe_multi' err; then
  claim "tens of thousands are probed" test "$(sed -n 's/^dtrace: \([0-9]*\) kernel functions probed by.*/\1/p' err)" -gt 20000
  claim "none without a name" awk '/nameless/ && $1 > 0 { bad = 1 } END { exit bad }' out
  claim "and fire" awk 'NF == 1 && $1 > 1000 { found = 1 } END { exit !found }' out
else
  claim "it is refused" test $status = 1
  claim "nothing is counted" test -z "$(grep nameless out)"
  claim "in one sentence" grep -q 'this kernel lacks kprobe_multi' err
fi
