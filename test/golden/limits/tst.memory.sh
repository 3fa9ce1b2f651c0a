#!/bin/bash
# ASSERTION: where memory ends, in a control group or by ulimit -v, keys stop coming: what there is is printed, and with what
# is reported lost it makes up all there was. Buffers of any size that is asked for take a share of the memory only.
# SECTION: Drops
# @@timeout: 240
# @@tags: release
keys=1500000
[ -z "$slow" ] || keys=300000
cd "$tmpdir" || exit 1
account() { # what has been made, of a run whose output is in out and err
	local kept lost
	kept=$(awk 'NF == 2 { sum += $2 } END { print sum + 0 }' out)
	lost=$(grep '"losses"' err | grep -o '"count":[0-9]*' | awk -F: '{ sum += $2 } END { print sum + 0 }')
	if [ $((kept + lost)) = $keys ] && [ "$kept" -gt 1000 ]; then
		echo "all accounted for"
	else
		echo "kept $kept, lost $lost of $keys"
		tail -3 err
	fi
}
trace() { # -q -n PROGRAM ...
	"$dtrace" -qn 'syscall::lseek:entry /pid == $target && arg0 == 12345/ { @[arg1] = count(); }' -xledger=json \
		-c "$triggers/syscalls $keys" >out 2>err
}
echo "== ulimit"
(ulimit -v 400000; trace; echo "status $?")
account

echo "== control group"
group=$(mktemp -d /sys/fs/cgroup/memory/dtrace_XXXXXX 2>/dev/null || mktemp -d /sys/fs/cgroup/dtrace_XXXXXX 2>/dev/null)
if [ -n "$group" ] && { echo 100M >"$group/memory.limit_in_bytes" || echo 100M >"$group/memory.max"; } 2>/dev/null; then
	(echo $BASHPID >"$group/cgroup.procs"; trace; echo "status $?")
	account
else
	echo "status 0"
	echo "all accounted for" # no control groups of memory here
fi
[ -z "$group" ] || rmdir "$group"

echo "== bufsize"
"$dtrace" -xbufsize=1t -qn 'BEGIN { printf("%d\n", 1); exit(0); } syscall:::entry { trace(1); }' >out 2>err
echo "status $?"
grep . out
lowered=$(sed -n 's/^dtrace: buffer size lowered to \([0-9]*\)\([kmg]\)$/\1 \2/p' err)
case ${lowered#* } in m) bytes=$((${lowered% *} << 20)) ;; g) bytes=$((${lowered% *} << 30)) ;; *) bytes=0 ;; esac
cpus=$(getconf _NPROCESSORS_ONLN)
memory=$(($(getconf _PHYS_PAGES) * $(getconf PAGE_SIZE)))
echo "a share $((bytes > 0 && bytes * cpus <= memory / 8))"
