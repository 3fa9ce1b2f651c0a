#!/bin/bash
# ASSERTION: a reader that goes away ends tracing at once and without a word; an output that cannot be written is named.
# SECTION: Command line, 10
. "$(dirname "$0")/../../runner/show.sh"
"$dtrace" -qn 'tick-1ms{printf("x\n")}' 2>err | head -1
cat err
"$dtrace" -l 2>err | head -1
cat err
(trap '' PIPE; "$dtrace" -qn 'tick-1ms{printf("y\n")}' 2>err; echo "status $?" >status) | head -1
cat err status
"$dtrace" -qn 'BEGIN{printf("x\n");exit(0)}' 2>&1 >/dev/full
echo "status $?"
"$dtrace" -o /dev/full -qn 'BEGIN{printf("x\n");exit(0)}' 2>&1
echo "status $?"
# Rows reach a pipe while tracing goes on.
"$dtrace" -qn 'BEGIN{printf("first\n")}' >out 2>err &
pid=$!
until grep -qs first out; do :; done
kill -TERM $pid
wait $pid
echo "status $?"
