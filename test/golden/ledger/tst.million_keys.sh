#!/bin/bash
# ASSERTION: a million distinct keys go through tables that hold far fewer, and none is lost.
# SECTION: Aggregations without a limit on keys
# @@timeout: 120
$dtrace -qn 'syscall::lseek:entry /pid == $target && arg0 == 12345/ { @[arg1] = count(); }' -xledger=text \
	-c "$(dirname "$dtrace")/../test/triggers/syscalls 1000000" 2>"$tmpdir/ledger" |
	awk 'NF == 2 { keys++; sum += $2 } END { print keys, sum }'
cat "$tmpdir/ledger"
