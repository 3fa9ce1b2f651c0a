#!/bin/bash
# ASSERTION: --container, --pod, --unit and --cgroup are a predicate on every clause but those of BEGIN, END and tick-n. Firings
# outside are no losses. A unit that is started while tracing runs is met from its first instruction.
# SECTION: Containers
# @@timeout: 120  @@lock: containers
. ./common.sh
counts='syscall::lseek:entry /arg0 == 12345/ { @["calls", execname] = count(); }
	tick-50hz /!ticks++/ { printf("ticks came\n"); }'
finish_after_tick() {
	timeout 30 sh -c 'until grep -q ticks "$0"; do sleep 0.02; done' "$tmpdir/out"
	finish
}
calls() { "$triggers/syscalls" 100; }
bundle web '' /usr/bin/sh -c 'read x </shared/go; /triggers/syscalls 1000'
bundle other '"io.kubernetes.cri.sandbox-name":"p","io.kubernetes.cri.sandbox-namespace":"n","io.kubernetes.cri.container-name":"c"' \
	/usr/bin/sh -c 'read x </shared/go; /triggers/syscalls 2000'
start crun web
start crun other

echo "== container"
begin -xledger=text --container "web-$number" -n "$counts"
calls
go web
finish_after_tick

echo "== pod"
begin -xledger=text --pod n/p -n "$counts"
calls
go other
finish_after_tick

echo "== unit"
slice=/dtrace$number.slice
group $slice
begin -xledger=text --unit "box$number" -n "$counts"
calls
group $slice/box$number.service
group $slice/other.service
in_group $slice/box$number.service "$triggers/syscalls" 3000
in_group $slice/other.service "$triggers/syscalls" 300
finish_after_tick

echo "== cgroup"
begin -xledger=text --cgroup $hierarchy$slice -n "$counts"
calls
in_group $slice/other.service "$triggers/syscalls" 4000
group $slice/other.service/below
in_group $slice/other.service/below "$triggers/syscalls" 1
finish_after_tick

echo "== options together"
begin -xledger=text --cgroup $slice --unit other --unit nothing -n "$counts"
in_group $slice/box$number.service "$triggers/syscalls" 3000
in_group $slice/other.service/below "$triggers/syscalls" 5
finish_after_tick
