#!/bin/bash
# ASSERTION: one function of a program is followed through user land and the kernel and back, indented by depth.
# SECTION: fbt
# @@timeout: 60
. ../fbt/common.sh
cat >follow.d <<'D'
#pragma D option flowindent
pid$target:descend:$1:entry { self->trace = 1; }
pid$target:descend::entry, pid$target:descend::return,
fbt::ksys_write:, fbt::vfs_write: /self->trace/
{
	printf("%s", probeprov == "fbt" ? "K" : "U");
}
pid$target:descend:$1:return /self->trace/ { self->trace = 0; }
D
"$dtrace" -s follow.d -c "$triggers/descend" outer 2>err >out
sed -nE 's/^ *[0-9]+ (.*[^ ]) *$/\1/p' out | tr -s ' ' | sed 's/^ //'
grep -vE "matched|has exited" err
true
