#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: --cgroup takes paths below any mount of the unified hierarchy: the usual one, a second one of all cgroups in the root of a
# chroot, and one of a part.
# SECTION: Containers
# @@timeout: 120  @@lock: containers
if [ -z "${inside-}" ]; then
	inside=1 exec unshare -m --propagation private bash "$0" "$@"
fi
. ./common.sh
outer=/dtrace$number
group $outer
group $outer/inner
group $outer/other
mkdir -p "$tmpdir/jail/sys/fs/cgroup/unified" "$tmpdir/part"
mount --bind "$hierarchy" "$tmpdir/jail/sys/fs/cgroup/unified" || exit
mount --bind "$hierarchy$outer" "$tmpdir/part" || exit
for path in "$hierarchy$outer/inner/" "$tmpdir/jail/sys/fs/cgroup/unified$outer/inner" "$tmpdir/part/inner" "$outer/inner"; do
	echo "== $path" | sed "s|^== $hierarchy|== hierarchy|; s|$tmpdir|tmpdir|" | shown
	begin -xledger=text --cgroup "$path" -n 'syscall::lseek:entry /arg0 == 12345/ { @["calls", execname] = count(); }'
	in_group $outer/inner "$triggers/syscalls" 1000
	in_group $outer/other "$triggers/syscalls" 200
	finish
done
