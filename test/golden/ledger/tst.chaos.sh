#!/bin/bash
# ASSERTION: scripts of many kinds, disturbed at random moments by signals, full disks, closed and unread pipes and little
# memory, leave nothing behind in the kernel, in processes and on disk; what was made is what was printed and what was lost.
# SECTION: Drops
# @@timeout: 300
# @@tags: long release
python3 "$(dirname "$0")/../../chaos/chaos.py" --dtrace "$dtrace" --triggers "$triggers" --seed 1 --seconds 40 --rounds 60 2>"$tmpdir/err"
echo "status $?"
grep -o '[0-9]* wrong' "$tmpdir/err"
