#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: the counter that says "enabled" is not 0 as long as there is a tracer, of one process or of all: the kernel
# counts sites that are set, not who set them. One tracer that is killed takes nothing from the other, and in the end it is 0.
. ./common.sh
build_operands -o "$tmpdir/program"
count() { "$dtrace" -qZ -n 'BEGIN { printf("ready\n"); } opnd*:::'"$1"' { @ = count(); n++; }
  opnd*:::'"$1"' /n == '"$2"'/ { printa("%@d\n", @); exit(0); }' >"$tmpdir/$3" 2>&1 5>&- 6<&- & }
ready() { until grep -qs ready "$tmpdir/$1"; do sleep 0.05; done; }

start "$tmpdir/program"
ask s
echo "before: $answer"
count '' 15 first
first=$!
ready first
ask s
echo "one tracer: $answer"
"$dtrace" -q -p $program -n 'BEGIN { printf("ready\n"); } opnd$target::: { @ = count(); }' >"$tmpdir/second" 5>&- 6<&- &
second=$!
ready second
ask s
echo "two tracers: $answer"
ask f
{ kill -KILL $second; wait $second; } 2>/dev/null
ask s
echo "one was killed: $answer"
ask f
ask f
wait $first
echo "the other counted $(grep -x '[0-9]*' "$tmpdir/first")"
ask 0
ask s
echo "after: $answer"

count registers 1 third
third=$!
ready third
start_again() { # another process of the file, which comes while the tracer is there
  exec 5>&- 6<&-
  wait $program
  start "$tmpdir/program"
}
start_again
ask s
echo "a process to come: $answer"
{ kill -KILL $third; wait $third; } 2>/dev/null
ask 0
ask s
echo "after its tracer was killed: $answer"
ask f
echo "the program goes on: $answer"
finish
