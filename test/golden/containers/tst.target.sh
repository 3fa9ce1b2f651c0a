#!/bin/bash
# ASSERTION: with --container, pid$target means the processes in the container and no others; a profile is of them alone.
# SECTION: Containers
# @@timeout: 120
. ./common.sh
bundle web '' /usr/bin/sh -c 'read x </work/go; /triggers/syscalls 10; read x </work/go; :'
start crun web
begin --container "web-$number" -n 'pid$target:libc.so.6:read:entry { @reads[container, nspid, nstid == nspid] = count(); }' \
	-n 'profile-997 { @profile[container] = count(); } END { trunc(@profile, 1); clear(@profile); }'
echo >"$tmpdir/web/go"
sh -c 'echo 1 | read x'
go web
finish | grep -v '^ *web *0$'

echo "== nobody"
"$dtrace" -qn 'pid$target:::entry' --container "nobody-$number" 2>&1 | shown
