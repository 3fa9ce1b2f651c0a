#!/bin/bash
# ASSERTION: with _DTRACE_TESTING in the environment, rows have neither CPU nor probe number, sizes that were lowered are not
#   reported, and an interrupt prints no empty line.
# SECTION: Command line, 13
. "$(dirname "$0")/../../runner/show.sh"
export _DTRACE_TESTING=
run -n 'BEGIN{trace(1)} BEGIN{trace("x");exit(0)}'
run -Fn 'BEGIN{trace(1);exit(0)}'
run -Fqn 'BEGIN{trace(1);exit(0)}'
run -qb 64t -n 'BEGIN{exit(0)}'
env --default-signal=INT "$dtrace" -qn 'BEGIN{printf("begin\n")} END{printf("end\n")}' >out 2>err &
pid=$!
until grep -qs begin out; do :; done
kill -INT $pid
wait $pid
show $?
