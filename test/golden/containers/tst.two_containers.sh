#!/bin/bash
# ASSERTION: two containers, of crun and of runc, and the host make the same calls. A comparison with `container` means one of
# them, a key tells all apart, and --container keeps the clauses to the one that it names. What is nested in a container belongs
# to it.
# SECTION: Containers
# @@timeout: 120  @@lock: containers
. ./common.sh
run='read x </shared/go; /triggers/syscalls'
bundle web '' /usr/bin/sh -c "$run 1000"
bundle store '"io.kubernetes.cri.container-name":"store","io.kubernetes.cri.sandbox-name":"shop-0","io.kubernetes.cri.sandbox-namespace":"prod"' \
	/usr/bin/sh -c "$run 2000"
start crun web
start runc store
mkdir "$hierarchy/web-$number/nested" && cat "$tmpdir/web/pid" >"$hierarchy/web-$number/nested/cgroup.procs"

begin -xledger=text -n '
	syscall::lseek:entry /arg0 == 12345 && container == "web-'$number'"/ { @compared["compared", container] = count(); }
	syscall::lseek:entry /arg0 == 12345 && container != "" && zonename != "global"/ { @inside["not the host"] = count(); }
	syscall::lseek:entry /arg0 == 12345 && pod == "prod/shop-0"/ { @pod["pod", pod] = count(); }
	syscall::lseek:entry /arg0 == 12345 && (container != "" || ppid == '$$')/ { @key["key", container] = count(); @zone["zone", zonename] = count(); }
	syscall::lseek:entry /arg0 == 12345 && container == "nobody"/ { @nobody["nobody"] = count(); }'
go web
go store
"$triggers/syscalls" 500
remove web
finish
