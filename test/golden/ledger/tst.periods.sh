#!/bin/bash
# ASSERTION: the ledger adds up the losses of all status periods: its sum is that of the messages, and with what was printed
#   it is what was made.
# SECTION: Drops
# @@timeout: 120
calls=300000
[ -z "$slow" ] || calls=30000
"$dtrace" -xstatusrate=10ms -xbufsize=4k -xledger=json -qn 'syscall::lseek:entry /pid == $target && arg0 == 12345/ { printf("%d\n", arg1); }' \
	-c "$triggers/syscalls $calls" >"$tmpdir/out" 2>"$tmpdir/err"
got=$(grep -c . "$tmpdir/out")
lost=$(grep '"losses"' "$tmpdir/err" | grep -o '"count":[0-9]*' | awk -F: '{ sum += $2 } END { print sum + 0 }')
told=$(sed -n 's/^dtrace: \([0-9]*\) drops* on CPU.*/\1/p' "$tmpdir/err" | awk '{ sum += $1; n++ } END { print sum + 0, n }')
[ $((got + lost)) = $calls ] && echo "made = got + lost" || echo "made $calls, got $got, lost $lost"
[ "${told% *}" = "$lost" ] && echo "messages agree with the ledger" || echo "messages: $told, ledger $lost"
[ "${told#* }" -gt 3 ] && echo "several periods"
