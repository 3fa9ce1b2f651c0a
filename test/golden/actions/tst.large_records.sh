#!/bin/bash
# ASSERTION: what BEGIN records is kept whatever its size: long strings, many clauses at once; a record that no buffer can
#   hold is refused.
# SECTION: Options/strsize, bufsize
# @@parts
. "$(dirname "$0")/../../runner/sections.sh"
section "a long string" && "$dtrace" -qxstrsize=200k -n 'BEGIN { trace(execname); x = "long"; trace(x); exit(0); }'
{
	echo '#pragma D option quiet'
	for i in {1..400}; do echo 'BEGIN { n++; printf("%s", this->s = ""); }'; done
	echo 'BEGIN { printf("%d clauses\n", n); exit(0); }'
} >"$tmpdir/many.d"
section "many clauses" && "$dtrace" -s "$tmpdir/many.d"
section "what no buffer holds" && "$dtrace" -qxstrsize=1m -b 512k -n 'BEGIN { x = "long"; trace(x); exit(0); }' 2>&1
true
