#!/bin/bash
# ASSERTION: with --container, pid$target means the processes in the container and no others; a profile is of them alone.
# SECTION: Containers
# @@timeout: 120  @@lock: containers
. ./common.sh
# Two processes, each of which has begun to wait in read(2) when tracing begins, and reads once more; then the first ends.
bundle web '' /usr/bin/sh /shared/run
cat >"$tmpdir/web/run" <<'SH'
mkfifo /shared/two
sh -c 'read x; read y' </shared/two &
exec 3>/shared/two
read x </shared/go
echo >&3
echo >&3
wait
SH
start crun web
until [ "$(wc -l <"$hierarchy/web-$number/cgroup.procs")" = 2 ]; do sleep 0.02; done
begin --container "web-$number" -n 'pid$target:libc.so.6:read:entry { @reads[container, nspid, nstid == nspid] = count(); }' \
	-n 'profile-997 /container != "web-'$number'"/ { @others = count(); }'
sh -c 'echo 1 | read x'
go web
finish >"$tmpdir/shown"
# How often each reads is the shell's affair.
awk '{ print $1, $2, $3, ($4 > 0) }' "$tmpdir/shown"

echo "== nobody"
"$dtrace" -qn 'pid$target:::entry' --container "nobody-$number" 2>&1 | shown
