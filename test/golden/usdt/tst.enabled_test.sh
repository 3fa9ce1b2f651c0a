#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: is-enabled tests of programs built with Oracle's <sys/usdt.h> are true as long as a tracer has the probe enabled,
# however the tracer ends. This holds in the processes of the description, in their threads, and in those that start later.
# Nothing else is written.
# @@timeout: 240
. ./common.sh
. ./asks.sh
builds=('gcc -O0 -fPIE -pie' 'gcc -O2 -no-pie' 'clang -O0 -no-pie -DIN_MEMORY' 'clang -O2 -fPIE -pie')
[ -n "$slow" ] || builds+=('gcc -O0 -no-pie' 'gcc -O2 -fPIE -pie -DIN_MEMORY' 'clang -O0 -fPIE -pie' 'clang -O2 -no-pie')
answers_of "${builds[@]}"
echo "== processes"
${builds[0]} -pthread -o "$tmpdir/asks" asks.c || exit 1
start "$tmpdir/asks"
first=$program
exec 7>&5 8<&6
start "$tmpdir/asks"
# both WHEN: the answers in the first process and in the second.
both() {
  echo a >&7 && read -r -t 35 answer <&8 && echo "$1: first: $answer"
  as_asked "$1: second"
}
both before
trace -q -n "$(sold "shop$first:::sold")"
both "the first's"
end_trace
trace -q -n "$(sold 'shop*:::sold')"
both "all"
as_asked "a child" c
# The others hold its input.
kill "$first"
wait "$first" 2>/dev/null
exec 7>&- 8<&-
finish
start "$tmpdir/asks"
as_asked "started later"
kill -KILL "$tracer"
wait "$tracer" 2>/dev/null
# The links go with the last of its descriptors, which the kernel closes for it.
ask_until "sold 0"
echo "killed: $answer"
echo "== two tracers, a program that is met while tracing runs, and both probes"
cp "$tmpdir/asks" "$tmpdir/fresh"
trace -qZ -n "$(sold 'shop*:::sold')"
other=$tracer out=$tmpdir/out2
trace -q -n "$(sold "shop$program:::refunded")"
as_asked "both"
end_trace
as_asked "one left"
finish
start "$tmpdir/fresh"
ask_until "sold 1"
echo "fresh: $answer"
kill -TERM "$other"
wait "$other"
as_asked after
finish
echo "== a variable that cannot be written to"
out=$tmpdir/out
start "$tmpdir/asks"
trace -q -n "$(sold 'shop*:::sold')"
as_asked "enabled" r
as_asked "again" r
end_trace
finish
# The ledger may report them in two lines.
awk '/unanswered tests/ { unanswered += $2; next } NF { print } END { print "unanswered", unanswered }' "$out"
