#!/bin/bash
# ASSERTION: keys that find no room are counted exactly: those printed and those reported lost make up what was sent.
# SECTION: Drops
# @@timeout: 120
$dtrace -qn 'syscall::lseek:entry /pid == $target && arg0 == 12345/ { @[arg1] = count(); }' -xaggsize=4k -xledger=json \
	-c "$(dirname "$dtrace")/../test/triggers/syscalls 200000" 2>"$tmpdir/ledger" >"$tmpdir/out"
kept=$(awk 'NF == 2 { sum += $2 } END { print sum + 0 }' "$tmpdir/out")
lost=$(grep '"losses"' "$tmpdir/ledger" | grep -o '"count":[0-9]*' | awk -F: '{ sum += $2 } END { print sum + 0 }')
reported=$(grep 'aggregation drop' "$tmpdir/ledger" | awk '{ sum += $2 } END { print sum + 0 }')
echo "sum $((kept + lost))"
[ "$lost" -gt 0 ] && echo "some were lost"
[ "$lost" -eq "$reported" ] && echo "messages agree with the ledger"
