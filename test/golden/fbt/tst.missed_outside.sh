#!/bin/bash
# ASSERTION: what a program misses before tracing begins, and after exit(), is not counted as lost.
# SECTION: fbt; Drops
# @@timeout: 60
. ../fbt/common.sh
"$dtrace" -qn 'BEGIN { exit(0); } fbt:::entry { @ = count(); }' -xledger=text 2>&1
