#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: -p takes several processes and process groups; $target is the first, a group's leader before the others, and
# tracing ends with the last of them.
dtrace=$1
for i in 1 2 3; do
  mkfifo "$tmpdir/go$i"
  exec {go[i]}<>"$tmpdir/go$i"
done
read_one='read -r word <'
bash -c "$read_one$tmpdir/go1" & one=$!
set -m # a process group of its own
bash -c "bash -c '$read_one$tmpdir/go3; exit 0' & echo \$! >$tmpdir/member; $read_one$tmpdir/go2; wait" & leader=$!
set +m
until [ -s "$tmpdir/member" ]; do sleep 0.02; done
member=$(cat "$tmpdir/member")
names() { sed -E "s/\b$one\b/ONE/; s/\b$leader\b/LEADER/; s/\b$member\b/MEMBER/; s/\b[0-9]{3,}\b/OTHER/"; }
for list in $one,-$leader -$leader,$one $member; do
  "$dtrace" $dt_flags -qn 'BEGIN { printf("%d\n", $target); exit(0); }' -p "$list"
done | names | grep .
"$dtrace" $dt_flags -n 'BEGIN { printf("begun"); }' -p "$one,-$leader" >"$tmpdir/out" 2>&1 & tracer=$!
until grep -qs begun "$tmpdir/out"; do sleep 0.02; done
for i in 1 3 2; do echo >&"${go[i]}"; done
wait $tracer
echo "status $?"
grep -o 'pid .*' "$tmpdir/out" | names | sort
"$dtrace" $dt_flags -n BEGIN -p 12, 2>&1
"$dtrace" $dt_flags -n BEGIN -p -99999999 2>&1
exit 0
