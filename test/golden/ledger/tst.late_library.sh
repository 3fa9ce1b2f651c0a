#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A library that is loaded while tracing runs, by a process that is not -p's: the ledger says that its probes were set late,
# and by how much at most.
dtrace=$1
mkfifo "$tmpdir/in" "$tmpdir/out"
exec 3<>"$tmpdir/in"
"$triggers/dlopens" wait <"$tmpdir/in" &
target=$!
$dtrace $dt_flags -x ledger=json -qZn 'BEGIN { printf("ready\n"); }
  pid$1:libm.so.6:cbrt:entry { printf("%s\n", probefunc); exit(0); }' $target >"$tmpdir/out" 2>"$tmpdir/ledger" &
tracer=$!
exec 4<"$tmpdir/out"
read -r word <&4
echo >&3
grep . <&4
wait $tracer
kill $target
wait $target 2>/dev/null
sed -E 's/("longest_ns":)[1-9][0-9]*/\1N/' "$tmpdir/ledger"
echo "== what is there from the start"
$dtrace $dt_flags -x ledger=text -qn 'pid$target:a.out:main:entry { exit(0); }' -c "$triggers/spin 60" 2>&1 | grep .
exit 0
