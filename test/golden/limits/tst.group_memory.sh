#!/bin/bash
# ASSERTION: where memory ends in a control group, keys stop coming: what there is is printed, and with what is reported lost it
# makes up all there was.
# SECTION: Drops
# @@timeout: 240
# @@tags: release
. ./common.sh
cd "$tmpdir" || exit 1
trace in_group 100M
echo "status $?"
account
