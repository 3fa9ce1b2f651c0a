#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: of files that come, are executed and are deleted nothing is kept, neither descriptors nor probes, and all their
# firings are counted, static probes and functions alike. Those that somebody has open and executes again are found again.
# A file that is deleted and still executed keeps its probes. Two tracers do not keep each other from it.
. ./common.sh
build_operands -DPROVIDER='"gone"' -o "$tmpdir/known"
# Its code begins the file: the kernel maps it as large as the whole program, then makes it shorter.
build_operands -Wl,-z,noseparate-code,-z,norelro -DPROVIDER='"gone"' -o "$tmpdir/code_first"
out=$tmpdir/other
trace -qZ -n "BEGIN { printf(\"ready\n\"); } pid*:$tmpdir/p*:main:entry { @ = count(); }"
other=$tracer out=$tmpdir/out
trace -qZ -n "BEGIN { printf(\"ready\n\"); } gone*::: { @sites = count(); } pid*:$tmpdir/p*:fire:entry { @calls = count(); }
  END { printa(\"%@d sites, %@d calls\n\", @sites, @calls); }"
links() { grep -lE 'link_type:\s+(uprobe_multi|perf)' "/proc/$tracer/fdinfo/"* "/proc/$other/fdinfo/"* 2>/dev/null | wc -l; }
held() { ls -l "/proc/$tracer/fd" "/proc/$other/fd" 2>/dev/null | grep -o "$tmpdir/p[0-9]* (deleted)" | sort -u | wc -l; }
# await WANTED COMMAND: until the command prints that; mappings are what makes dtrace look.
await() {
  for ((i = 0; i < 1200; i++)); do
    [ "$($2)" = "$1" ] && return
    sleep 0.05
  done
  echo "$2: $($2), not $1"
}

for ((n = 0; n < 12; n++)); do
  [ $n = 8 ] && like=code_first || like=known
  cp "$tmpdir/$like" "$tmpdir/p$n"
  start "$tmpdir/p$n"
  ask 1
  ask f
  finish
  [ $n != 7 ] || exec 7<"$tmpdir/p$n"
  [ $n != 8 ] || exec 8<"$tmpdir/p$n"
  rm "$tmpdir/p$n"
done
await 0 held
await 0 links
echo "12 files are gone"

for n in 7 8; do
  start /proc/self/fd/$n
  ask 1
  ask f
  finish
done
exec 7<&- 8<&-
echo "two of them were executed again"

cp "$tmpdir/known" "$tmpdir/p0"
start "$tmpdir/p0"
ask 1
rm "$tmpdir/p0"
cp "$tmpdir/known" "$tmpdir/p1"
"$tmpdir/p1" </dev/null
rm "$tmpdir/p1"
await 1 held
ask f
finish
echo "one was deleted, and executed"
end_trace
kill "$other"
wait "$other"
grep -vE '^ready|p1 of process .* cannot be opened any more' "$out"
