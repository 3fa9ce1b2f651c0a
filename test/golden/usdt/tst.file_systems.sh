#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a file system can be unmounted when its processes have ended, while tracing goes on: static probes, functions and
# stacks of them keep nothing busy. What was recorded of them has names afterwards. A program that ran before tracing is no
# exception, nor is one whose probes nobody asked for. Where another process still executes a file of that file system, probes stay.
# @@timeout: 120
. ./common.sh
mkdir "$tmpdir/first" "$tmpdir/second" "$tmpdir/third"
for name in first second third; do mount -t tmpfs none "$tmpdir/$name" || exit 1; done
trap 'umount -l "$tmpdir"/*/ 2>/dev/null' EXIT
build_operands -o "$tmpdir/first/program"
cp "$tmpdir/first/program" "$tmpdir/second/program"
build_operands -DPROVIDER='"other"' -o "$tmpdir/third/other"
build_operands -DHOST -o "$tmpdir/second/holder"

await_unmounted() {
  for ((i = 0; i < 1200; i++)); do
    umount "$tmpdir/$1" 2>/dev/null && { echo "$1 is unmounted"; return; }
    sleep 0.05
  done
  echo "$1 is busy"
  ls -l "/proc/$tracer/fd" | grep "$tmpdir"
  grep "$tmpdir" "/proc/$tracer/maps"
}
sites() { ls -l "/proc/$tracer/fd" 2>/dev/null | grep -c "$tmpdir/second/program"; }

start "$tmpdir/first/program"
trace -qZ -n 'BEGIN { printf("ready\n"); } opnd*::: { @sites = count(); } opnd*:::memory { @stack[ustack()] = count(); }
  pid*:program:fire:entry { @calls = count(); }
  END { printa("%@d sites, ", @sites); printa("%@d calls\n", @calls); printa(@stack); }'
ask 1
ask f
finish
await_unmounted first

start "$tmpdir/third/other"
ask f
finish
await_unmounted third

mkfifo "$tmpdir/hold"
"$tmpdir/second/holder" <"$tmpdir/hold" &
holder=$!
exec 7>"$tmpdir/hold"
start "$tmpdir/second/program"
ask 1
ask f
finish
# Three looks later, which deleted files of the same process let us wait for.
for ((n = 0; n < 3; n++)); do
  cp "$tmpdir/second/program" "$tmpdir/gone"
  start "$tmpdir/gone"
  ask 1
  finish
  rm "$tmpdir/gone"
  while ls -l "/proc/$tracer/fd" 2>/dev/null | grep -q "$tmpdir/gone"; do sleep 0.05; done
done
[ "$(sites)" != 0 ] && echo "while another program of it is executed, its probes stay"
exec 7>&-
wait $holder
await_unmounted second
end_trace
grep -v '^ready' "$out" | sed 's/+0x[0-9a-f]*//; s/^ *//' | grep -E 'sites|program`fire' | sort -u
