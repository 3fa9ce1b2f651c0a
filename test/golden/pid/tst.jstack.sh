#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: jstack() names the functions that a real just-in-time compiler has made, by the file it writes for perf, those of
# a process that has ended by the time they are printed, too; frames below are the program's.
# @@shared
dtrace=$1
cd "$tmpdir" || exit 1  # node leaves a file in its folder
cat >"$tmpdir/hot.js" <<'J'
function innermost(n) { let s = 0; for (let i = 0; i < n; i++) s += (i * 7) % 13; return s; }
function inTheMiddle(n) { return innermost(n) + 1; }
function outermost(n) { return inTheMiddle(n) + 1; }
const until = Date.now() + 1000 * Number(process.argv[2]);
let total = 0;
while (Date.now() < until) total += outermost(20000);
J
# Under emulation it takes longer until the compiler has found out what is hot.
trap 'rm -f /tmp/perf-$pid.map' EXIT
$dtrace $dt_flags -q -c "node --perf-basic-prof --no-turbo-inlining $tmpdir/hot.js ${slow:+2}5" -n 'BEGIN { printf("pid %d\n", $target); }
  profile-199 /pid == $target && arg1 != 0/ { @[jstack(4)] = count(); }' >"$tmpdir/out" 2>&1
pid=$(sed -n 's/^pid //p' "$tmpdir/out")
# Stacks as lines, innermost first.
awk 'NF == 0 { line = "" } NF { sub(/^ +/, ""); sub(/\+0x[0-9a-f]+$/, ""); line = line " " $0; print line }' "$tmpdir/out" |
  sed -E 's/perf-[0-9]+\.map/MAP/g; s/JS:[*^~+]*/JS:/g; s| [^ ]*/hot.js:[0-9:]+| |g' | grep -oE 'MAP`JS:innermost +MAP`JS:inTheMiddle +MAP`JS:outermost' |
  tr -s ' ' | sort -u
