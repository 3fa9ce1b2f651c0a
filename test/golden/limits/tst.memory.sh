#!/bin/bash
# ASSERTION: where memory ends by ulimit -v, keys stop coming: what there is is printed, and with what is reported lost it
# makes up all there was. Buffers of any size that is asked for take a share of the memory only.
# SECTION: Drops
# @@timeout: 240
# @@tags: release
. ./common.sh
cd "$tmpdir" || exit 1
echo "== ulimit"
# The limit is what an idle dtrace uses, and this much for keys; the keys need more.
room_kb=100000
[ -z "$slow" ] || room_kb=40000
(ulimit -v $(($(idle_kb VmPeak) + room_kb)); trace; echo "status $?")
account
grep -c '"cause":"NoMemory"' err

echo "== bufsize"
"$dtrace" -xbufsize=1t -qn 'BEGIN { printf("%d\n", 1); exit(0); } syscall:::entry { trace(1); }' >out 2>err
echo "status $?"
grep . out
lowered=$(sed -n 's/^dtrace: buffer size lowered to \([0-9]*\)\([kmg]\)$/\1 \2/p' err)
case ${lowered#* } in m) bytes=$((${lowered% *} << 20)) ;; g) bytes=$((${lowered% *} << 30)) ;; *) bytes=0 ;; esac
cpus=$(getconf _NPROCESSORS_ONLN)
memory=$(($(getconf _PHYS_PAGES) * $(getconf PAGE_SIZE)))
echo "a share $((bytes > 0 && bytes * cpus <= memory / 8))"
