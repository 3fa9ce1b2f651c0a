#!/bin/bash
# ASSERTION: keys that find no room are counted exactly: those printed and those reported lost make up what was sent.
# SECTION: Drops
# @@timeout: 120
$dtrace -qn 'syscall::lseek:entry /pid == $target && arg0 == 12345/ { @[arg1] = count(); }' -xaggsize=4k -xledger=json \
	-c "$(dirname "$dtrace")/../test/triggers/syscalls 200000" 2>"$tmpdir/ledger" >"$tmpdir/out"
kept=$(awk 'NF == 2 { sum += $2 } END { print sum + 0 }' "$tmpdir/out")
losses() { # CAUSE: how many updates the ledger says were lost by it; every cause without one
	grep '"losses"' "$tmpdir/ledger" | grep -o "\"cause\":\"$1[^}]*" | grep -o '"count":[0-9]*' | awk -F: '{ sum += $2 } END { print sum + 0 }'
}
lost=$(losses '')
reported=$(grep 'aggregation drop' "$tmpdir/ledger" | awk '{ sum += $2 } END { print sum + 0 }')
echo "sum $((kept + lost))"
[ "$lost" -gt 0 ] && echo "some were lost"
# A loaded machine may lose an update by another cause, which has a line of its own.
if [ "$(losses AggregationFull)" -eq "$reported" ]; then
	echo "messages agree with the ledger"
else
	cat "$tmpdir/ledger"
fi
