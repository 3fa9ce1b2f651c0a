#!/bin/bash
# ASSERTION: ip has the probes of every DTrace, with the types of their arguments.
# SECTION: Providers, 11
"$dtrace" -lv -P ip | awk '
	/^ *[0-9]/ { printf("%s:%s::%s", $2, $3, $NF); if (NF != 4) printf(" (has a function)"); types = ""; next }
	/args\[/ { sub(/^[ \t]*args\[[0-9]\]: /, ""); types = types (types == "" ? "" : ", ") $0; next }
	/Argument Types/ { inside = 1; next }
	/None/ { types = "none" }
	/^$/ && inside { print " (" types ")"; inside = 0 }'
