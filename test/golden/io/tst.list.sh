#!/bin/bash
# ASSERTION: io has the probes of every DTrace, with the types of their arguments.
# SECTION: Providers, 10
"$dtrace" -lv -P io | awk '
	/wait-/ { inside = 0; skipped = 1; next } # where functions can be probed
	/^ *[0-9]/ { skipped = 0 }
	skipped { next }
	/^ *[0-9]/ { printf("%s:%s::%s", $2, $3, $NF); if (NF != 4) printf(" (has a function)"); types = ""; next }
	/args\[/ { sub(/^[ \t]*args\[[0-9]\]: /, ""); types = types (types == "" ? "" : ", ") $0; next }
	/Argument Types/ { inside = 1; next }
	/None/ { types = "none" }
	/^$/ && inside { print " (" types ")"; inside = 0 }'
