# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts about memory that ends.

# in_group BYTES COMMAND...: runs it in a control group of so much memory, which goes afterwards.
in_group() {
	local group parent=/sys/fs/cgroup limit=memory.max bytes=$1 status
	shift
	[ ! -d $parent/memory ] || parent=$parent/memory limit=memory.limit_in_bytes
	group=$(mktemp -d $parent/dtrace_XXXXXX) || return
	if echo "$bytes" >"$group/$limit"; then
		(echo $BASHPID >"$group/cgroup.procs" && exec "$@")
		status=$?
	fi
	rmdir "$group"
	return ${status:-1}
}

keys=1500000
[ -z "$slow" ] || keys=300000
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
# idle_kb VmPeak|VmHWM: the memory of a dtrace that counts and has no keys yet; most of it are libraries, which differ between machines.
idle_kb() {
	echo "awk '/^$1/ { print \$2 }' /proc/\$PPID/status >'$tmpdir/idle'" >"$tmpdir/idle.sh"
	"$dtrace" -qn 'syscall::lseek:entry /pid == $target && arg0 == 12345/ { @[arg1] = count(); }' -c "sh $tmpdir/idle.sh" >/dev/null
	cat "$tmpdir/idle"
}
# trace [COMMAND...]: counts as many keys, by COMMAND.
trace() {
	"$@" "$dtrace" -qn 'syscall::lseek:entry /pid == $target && arg0 == 12345/ { @[arg1] = count(); }' -xledger=json \
		-c "$triggers/syscalls $keys" >out 2>err
}
