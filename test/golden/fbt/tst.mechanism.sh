#!/bin/bash
# ASSERTION: the best mechanism that the kernel has probes its functions, and -v says which; each gives the same arguments
#   and return values.
# SECTION: fbt
# @@timeout: 60
. ../fbt/common.sh
has() { awk -v tag="$1" '$1 == tag && $2 == "yes" { found = 1 } END { exit !found }' features; }
"$dtrace" -Vv >features
if has kprobe_multi; then entry=kprobe_multi at_return=kprobe_multi
elif has trampoline; then entry=fentry at_return=fexit
else entry='single kprobes' at_return='single kprobes'; fi
# An int, a pointer, a size; a return value of 64 bits, and one that is an int.
values() {
	"$dtrace" -vqn "
	fbt::ksys_read:entry /pid == \$target && arg2 == 12345/ { self->in = 1; @entry[arg0, args[0], arg1 != 0, arg2] = count(); }
	fbt::ksys_read:return /self->in/ { @ret[arg0, arg1, args[1]] = count(); self->in = 0; }
	$1
	END { printa(\"%d %d %d %d %@d\n\", @entry); printa(\"%d %d %d %@d\n\", @ret); }" \
		-c 'dd if=/dev/zero of=/dev/null bs=12345 count=7 status=none' 2>err >out
	grep -E '^-?[0-9]+ ' out
}
values ''
claim "entries by what there is" grep -q "probed by $entry\$" err
claim "returns too" grep -q "probed by $at_return\$" err
# A function that no type describes cannot call a program itself: with it, the others are probed by what it can.
"$dtrace" -ln 'rawfbt:vmlinux:*.isra.0:entry' >out 2>err
nameless=$(awk 'NR == 2 { print $4 }' out)
values "rawfbt::$nameless:entry, rawfbt::$nameless:return { @all = count(); }"
[ "$entry" = kprobe_multi ] || entry='single kprobes' at_return='single kprobes'
claim "entries otherwise" grep -q "probed by $entry\$" err
claim "returns too" grep -q "probed by $at_return\$" err
