#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: arguments are found in every form of operand that compilers write, alike where the site was known when tracing
# began (code of its own), and where program or library came later with locations of arguments that nobody knew (a table): in a
# process that is named, in one that starts later, and in a library loaded later.
# @@tags: long
. ./common.sh
build_operands -o "$tmpdir/program"
build_operands -no-pie -o "$tmpdir/fixed"
build_operands -DLIBRARY -fPIC -shared -o "$tmpdir/library.so"
build_operands -DHOST -o "$tmpdir/host"
export LIBRARY=$tmpdir/library.so
script() { sed "s/OPND/$1/g" "$here/operands.d"; }
show() { grep -v -e ready -e '^$' "$out"; }

for image in program fixed; do
  echo "known: $image"
  start "$tmpdir/$image"
  trace -q -p $program -n "BEGIN { printf(\"ready\\n\"); } $(script 'opnd$target')" 5>&- 6<&-
  ask f
  finish
  trace_ended
  show
done

echo "starts later"
trace -qZ -n "BEGIN { printf(\"ready\\n\"); } $(script 'opnd*')"
start "$tmpdir/program"
ask 1
ask f
finish
end_trace
show

echo "loaded later"
start "$tmpdir/host"
trace -qZ -p $program -n "BEGIN { printf(\"ready\\n\"); } $(script 'opnd$target')" 5>&- 6<&-
ask d
ask 1
ask f
finish
trace_ended
show

echo "nowhere to be had"
start "$tmpdir/program"
"$dtrace" -xerrtags -p $program -n 'opnd$target:::one-lost { trace(arg1); }' 2>&1 | sed 's/.*\(\[D_ARGS_PLACE\].*\)opnd[0-9]*/\1opndPID/'
finish
