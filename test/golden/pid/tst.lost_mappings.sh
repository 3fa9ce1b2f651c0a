#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A library that is loaded while the kernel's buffers of mapping records are full, so that its record is lost, gets its
# probes all the same.
dtrace=$1
mkfifo "$tmpdir/in" "$tmpdir/out"
exec 3<>"$tmpdir/in"
"$triggers/dlopens" wait <"$tmpdir/in" &
target=$!
$dtrace $dt_flags -qZn 'BEGIN { printf("ready\n"); }
  pid$target:libm.so.6:cbrt:entry { printf("%s %s\n", probemod, probefunc); exit(0); }' -p $target >"$tmpdir/out" &
tracer=$!
exec 4<"$tmpdir/out"
read -r word <&4
echo "$word"
kill -STOP $tracer
# More than 600 executable mappings on each CPU.
for cpu in $(taskset -pc $$ | sed 's/.*: //; s/,/ /g' | tr ' ' '\n' | awk -F- '{ for (i = $1; i <= ($2 == "" ? $1 : $2); i++) print i }'); do
  taskset -c "$cpu" bash -c 'for ((i = 0; i < 300; i++)); do /bin/true; done'
done
echo >&3
until grep -q libm.so.6 "/proc/$target/maps"; do sleep 0.02; done
kill -CONT $tracer
timeout 20 grep . <&4
kill $target
wait $target 2>/dev/null
exit 0
