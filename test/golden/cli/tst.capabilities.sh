#!/bin/bash
# ASSERTION: who is not root but may load tracing programs may trace: CAP_BPF and CAP_PERFMON, not one of them.
# SECTION: Command line, 22
. "$(dirname "$0")/../../runner/show.sh"
chmod 755 . 2>/dev/null
cp "$dtrace" dt
with() { # CAPABILITIES ARGS
	local capabilities=$1
	shift
	setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps="$capabilities" --ambient-caps="$capabilities" ./dt "$@" 2>&1
	echo "status $?"
}
with +bpf,+perfmon -xnolibs -qn 'BEGIN{printf("uid %d\n", uid);exit(0)}'
with +bpf,+perfmon -xnolibs -qn 'syscall::write:entry/pid == $target/{n = arg2} END{printf("%d bytes\n", n)}' -c 'echo hi' |
	grep -v 'program not run by the kernel' # others call write(), too, and may interrupt each other
with +bpf -qn BEGIN
with +perfmon -qn BEGIN
