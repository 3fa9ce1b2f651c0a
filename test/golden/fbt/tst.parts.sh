#!/bin/bash
# ASSERTION: probes of very many functions are set in two parts for each kind, and the functions that the kernel runs while
#   it patches others come last: patching does not fire its own probes for each function. Two dtrace that set them at
#   once both count each call, and no CPU is kept.
# SECTION: fbt
# @@timeout: 200
# @@tags: long
. ../fbt/common.sh
here=$OLDPWD
# Not all functions: what runs below would take minutes under emulation.
many='fbt::[dt]*:entry, fbt::[dt]*:return'
"$dtrace" -wqn "$many"' { @ = count(); } BEGIN { system("/usr/bin/python3 '"$here"'/link_parts.py $PPID"); exit(0); }' >out 2>err
awk '$1 == "entry" || $1 == "return"' out >links
claim "entries, returns, then those of busy functions" test "$(awk '{ printf "%s ", $1 }' links)" = "entry return entry return "
claim "the first parts are nearly all" awk 'NR <= 2 && $2 < 1000 { bad = 1 } END { exit bad }' links
claim "without functions of patching" awk 'NR <= 2 && $3 > 0 { bad = 1 } END { exit bad }' links
claim "which are in the last parts" awk 'NR > 2 && ($3 < 3 || $2 > 1000) { bad = 1 } END { exit bad }' links
claim "no function is in two links" grep -qx 'twice 0' out

for i in 1 2; do
  "$dtrace" -qn "$many"' /pid == $target/ { @[probefunc, probename] = count(); } END { printa("%s %s %@d\n", @); }' \
    -c "$triggers/naps 5" >counts$i 2>err$i &
done
wait
for i in 1 2; do
  cat counts$i err$i >out
  claim "of two at once, number $i counts each entry" grep -qx 'do_nanosleep entry 5' counts$i
  claim "and each return" grep -qx 'do_nanosleep return 5' counts$i
done
dmesg >out
claim "no CPU is kept" test -z "$(grep 'soft lockup' out)"
