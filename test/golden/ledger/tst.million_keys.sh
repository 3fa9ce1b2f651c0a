#!/bin/bash
# ASSERTION: a million distinct keys go through tables that hold far fewer, and none is lost.
# SECTION: Aggregations without a limit on keys
# @@timeout: 120
keys=1000000
[ -z "$slow" ] || keys=150000 # more than tables hold there as well
$dtrace -qn 'syscall::lseek:entry /pid == $target && arg0 == 12345/ { @[arg1] = count(); }' -xledger=text \
	-c "$(dirname "$dtrace")/../test/triggers/syscalls $keys" 2>"$tmpdir/ledger" |
	awk -v all=$keys 'NF == 2 { keys++; sum += $2 } END { print keys == all, sum == all }'
cat "$tmpdir/ledger"
