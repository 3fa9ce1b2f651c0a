#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: while programs come and go, dtrace keeps as many files open as before: those with probes that nobody asked for,
# whether they are deleted or not; those with probes that were set, once they are deleted; and those that only user stacks name,
# once they are deleted.
# @@timeout: 120
. ./common.sh
build_operands -DPROVIDER='"wanted"' -o "$tmpdir/known"
build_operands -DPROVIDER='"unrelated"' -o "$tmpdir/other"
rounds=${slow:+8}
rounds=${rounds:-30}
out=$tmpdir/stacks
trace -q -n 'BEGIN { printf("ready\n"); }
  syscall::exit_group:entry /execname == "known" || execname == "other"/ { @[ustack()] = count(); }'
stacks=$tracer out=$tmpdir/out
trace -qZ -n 'BEGIN { printf("ready\n"); } wanted*::: /probename == "memory"/ { @[execname] = count(); }'
# Those of this test: stacks are of whatever runs.
files() { ls -l "/proc/$1/fd" 2>/dev/null | grep -cE "$tmpdir/|bpf_link"; }
# run FILE [wanted]: fires its probes; if they are wanted, once they are set.
run() {
  start "$1"
  [ "$2" = wanted ] && ask 1
  ask f
  finish
}
# await_files PID NUMBER NAME: until so many are open.
await_files() {
  for ((i = 0; i < 1200 && $(files "$1") > $2; i++)); do sleep 0.05; done
  (($(files "$1") <= $2)) && { echo "$3: as many files are open as before"; return; }
  echo "$3: $(files "$1") files are open, not $2"
  ls -l "/proc/$1/fd"
}
run "$tmpdir/known" wanted
run "$tmpdir/other"
before=$(files $tracer) before_stacks=$(files $stacks)
mkdir "$tmpdir/copies"
for ((n = 0; n < rounds; n++)); do
  cp "$tmpdir/known" "$tmpdir/copies/known$n"
  cp "$tmpdir/other" "$tmpdir/copies/other$n"
  cp "$tmpdir/other" "$tmpdir/copies/stays$n"
  run "$tmpdir/copies/known$n" wanted
  run "$tmpdir/copies/other$n"
  run "$tmpdir/copies/stays$n"
  rm "$tmpdir/copies/known$n" "$tmpdir/copies/other$n"
done
await_files $tracer $((before + 2)) "static probes"
rm -r "$tmpdir/copies"
await_files $stacks $((before_stacks + 2)) "stacks"
end_trace
awk -v rounds=$rounds '$1 ~ /^known/ { fired += $2 } END { print fired == rounds + 1 ? "each fired" : fired " of " rounds + 1 " fired" }' "$out"
kill "$stacks"
wait "$stacks"
