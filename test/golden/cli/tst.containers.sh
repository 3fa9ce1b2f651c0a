#!/bin/bash
# ASSERTION: where root may not trace, as in most containers, a message says what is missing and how such containers are
#   started, with the words that wrappers look for and status 2: without capabilities, in a user namespace, under a seccomp filter.
# SECTION: Command line, 22
# @@tags: release
filter=$(realpath "$(dirname "$0")")/without_bpf.py
. "$(dirname "$0")/../../runner/show.sh"
refused() { # TITLE COMMAND...
	echo "== $1"
	shift
	"$@" >out 2>err
	local status=$?
	sed -i 's/D [0-9][0-9.]*$/D N/' out
	show $status
}
drop() { # CAPABILITIES COMMAND...
	local dropped=$1
	shift
	setpriv --bounding-set "$dropped" --inh-caps "$dropped" "$@"
}
refused "no capabilities" drop -all "$dtrace" -qn 'BEGIN{exit(0)}'
refused "those of Docker" drop -all,+chown,+dac_override,+setuid,+kill "$dtrace" -l
refused "one of two" drop -sys_admin,-perfmon "$dtrace" -qn 'BEGIN{exit(0)}'
refused "a user namespace" unshare -U -r "$dtrace" -qn 'BEGIN{exit(0)}'
refused "a user namespace in it, with less" unshare -U -r setpriv --bounding-set -all "$dtrace" -l
refused "seccomp: EPERM" python3 "$filter" EPERM "$dtrace" -qn 'BEGIN{exit(0)}'
refused "seccomp: ENOSYS" python3 "$filter" ENOSYS "$dtrace" -l
refused "-Vv" python3 "$filter" EPERM "$dtrace" -Vv
refused "a filter that lets bpf(2) pass" python3 "$filter" 0 "$dtrace" -xnolibs -qn 'BEGIN{exit(3)}'
refused "-e needs none" unshare -U -r "$dtrace" -xnolibs -en 'BEGIN{exit(0)}'
