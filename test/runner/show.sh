# SPDX-License-Identifier: Apache-2.0
# Shared by golden scripts: `run ARGS` runs dtrace and shows what it printed, what it said on stderr (lines marked
# "! ") and its exit status. Rows come from CPU 0 alone, so that the CPU column is known.
cd "$tmpdir" || exit 1

show() { # STATUS: the output kept in $tmpdir/out and $tmpdir/err
	cat out
	sed 's/^/! /' err
	echo "status $1"
}

run() {
	echo "\$ dtrace $*"
	"$dtrace" "$@" >out 2>err </dev/null
	show $?
}
