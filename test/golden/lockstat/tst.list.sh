#!/bin/bash
# ASSERTION: lockstat has the probes of threads that wait, and says of the others that the kernel does not report them. (Those
#   of functions, which not every kernel lets be probed: tst.acquires.)
# SECTION: Providers, 14
"$dtrace" -lv -P lockstat | awk '
	/^ *[0-9]/ { shown = !/acquire|release|downgrade/; if (shown) printf("%s:%s::%s", $2, $3, $NF); types = ""; next }
	!shown { next }
	/args\[/ { sub(/^[ \t]*args\[[0-9]\]: /, ""); types = types (types == "" ? "" : ", ") $0; next }
	/Argument Types/ { inside = 1; next }
	/None/ { types = "none" }
	/^$/ && inside { print " (" types ")"; inside = 0 }'
"$dtrace" -n 'lockstat:::spin-acquire' 2>&1 | tail -n 1
