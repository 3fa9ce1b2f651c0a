#!/bin/bash
# ASSERTION: a container that is born after the start and gone before the end keeps its name in keys, also if its name was not
# known when it fired first. Comparisons that came too early are counted, and with those that came in time make up all.
# SECTION: Containers
# @@timeout: 120  @@lock: containers
. ./common.sh
# Ends tracing; $named and $lost are what the program counted and what the ledger has.
totals() {
	kill -INT $tracer
	wait $tracer
	grep -E "key (late|claimed)" "$tmpdir/out" | shown | sed -E '/claimed/s/[0-9]+$/N/'
	named=$(awk '$1 == "named" { print $2 }' "$tmpdir/out")
	lost=$(python3 -c 'import json, sys
print(sum(loss["count"] for loss in json.loads(open(sys.argv[1]).read().splitlines()[-1])["losses"] if loss["tag"] == "CGROUP"))' "$tmpdir/err")
}
bundle late '' /usr/bin/sh -c 'read x </shared/go; /triggers/syscalls 1000'
begin -xledger=json -n '
	syscall::lseek:entry /arg0 == 12345/ { @key[container] = count(); }
	syscall::lseek:entry /arg0 == 12345 && container == "late-'$number'"/ { @named = count(); }
	END { printa("key %s %@d\n", @key); printa("named %@d\n", @named); }'
start runc late
go late
remove late
totals
echo "named and lost: $((named + lost))"

echo "== a cgroup that is claimed long after its birth"
group /claimed-$number
begin -xledger=json -n '
	syscall::lseek:entry /arg0 == 12345 && arg1 == 0/ { @key[container] = count(); }
	syscall::lseek:entry /arg0 == 12345 && arg1 == 0 && container == "claimed-'$number'"/ { printf("found\n"); @named = count(); }
	END { printa("key %s %@d\n", @key); printa("named %@d\n", @named); }'
calls=0
call() {
	in_group /claimed-$number "$triggers/syscalls" 1
	calls=$((calls + 1))
}
for i in 1 2 3 4 5 6 7; do call; done
mkdir -p /run/crun/claimed-$number
echo '{"cgroup-path":"/claimed-'$number'","bundle":""}' >/run/crun/claimed-$number/status
until grep -qs found "$tmpdir/out"; do call; done
call
rm -r /run/crun/claimed-$number
totals
echo "all of them: $((named + lost == calls)), 7 or more too early: $((lost >= 7)), 1 or more in time: $((named >= 1))"
