#!/bin/bash
# ASSERTION: where memory ends in a control group, keys stop coming: what there is is printed, and with what is reported lost it
# makes up all there was.
# SECTION: Drops
# @@timeout: 240
# @@tags: release
. ./common.sh
cd "$tmpdir" || exit 1
# The limit is what an idle dtrace uses, and this much for keys; the keys need more.
room_kb=50000
[ -z "$slow" ] || room_kb=15000
trace in_group $((($(idle_kb VmHWM) + room_kb) * 1024))
echo "status $?"
account
