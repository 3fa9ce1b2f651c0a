#!/bin/bash
# ASSERTION: an aggregation with few keys in all functions of the kernel is not reported as full.
# SECTION: fbt; Drops
# @@timeout: 60
. ../fbt/common.sh
"$dtrace" -qn 'fbt:::entry { @[probename] = count(); } tick-2s { exit(0); }' -xledger=text >out 2>err
grep -c '^  entry' out
grep 'no room for a new key\|aggregation drop' err
exit 0
