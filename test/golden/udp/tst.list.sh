#!/bin/bash
# ASSERTION: udp has send and receive, with the types of their arguments.
# SECTION: Providers, 13
"$dtrace" -lv -P udp | awk '
	/^ *[0-9]/ { printf("%s:%s::%s", $2, $3, $NF); types = ""; next }
	/args\[/ { sub(/^[ \t]*args\[[0-9]\]: /, ""); types = types (types == "" ? "" : ", ") $0; next }
	/Argument Types/ { inside = 1; next }
	/^$/ && inside { print " (" types ")"; inside = 0 }'
