#!/bin/bash
# ASSERTION: under overload, events sent = rows delivered + drops reported, and no row is torn.
# SECTION: Drops
# @@timeout: 120
$dtrace -qn 'syscall::lseek:entry /pid == $target && arg0 == 12345/ { printf("%d %d %d\n", arg1, arg1 * 3, arg1 ^ 0x5555); }' \
	-xbufsize=16k -xledger=json -c "$(dirname "$dtrace")/../test/triggers/syscalls 300000" 2>"$tmpdir/ledger" >"$tmpdir/out"
python3 - "$tmpdir/out" <<'P'
import sys
rows = torn = 0
for line in open(sys.argv[1]):
    if line == "\n":
        continue
    a, b, c = map(int, line.split())
    rows += 1
    torn += b != 3 * a or c != a ^ 0x5555
open(sys.argv[1] + ".n", "w").write(str(rows))
print("torn", torn)
P
lost=$(grep '"losses"' "$tmpdir/ledger" | grep -o '"count":[0-9]*' | awk -F: '{ sum += $2 } END { print sum + 0 }')
reported=$(grep ' drops\? on CPU' "$tmpdir/ledger" | awk '{ sum += $2 } END { print sum + 0 }')
echo "sum $(($(cat "$tmpdir/out.n") + lost))"
[ "$lost" -eq "$reported" ] && echo "messages agree with the ledger"
