#!/bin/bash
# ASSERTION: usage errors print the synopsis on stderr and end with status 2; exclusive modes are named.
# SECTION: Command line, 1 to 3
# @@tags: userland unprivileged
. "$(dirname "$0")/../../runner/show.sh"

first() { # ARGS: the first lines of stderr, without the synopsis
	echo "\$ dtrace $*"
	"$dtrace" "$@" >out 2>err
	local status=$?
	cat out
	grep -v '^	' err | sed 's/\(^Usage: dtrace\) .*/\1/'
	echo "status $status"
}
first
first -y
first -N x
first -33
first -65 -V
first -n
first -l -V
first -lh
first -AG
first -Bl
first -B -o file -n BEGIN
ls
