#!/bin/bash
# ASSERTION: While hundreds of programs are compiled, a terminal shows how many there are, and a signal ends dtrace at once.
# What is not a terminal shows nothing.
# SECTION: Command line
# @@timeout: 120      @@tags: release
cd "$tmpdir" || exit 1
# Tracepoints whose clauses ask for typed arguments have a program each.
"$dtrace" -lv -P sdt | awk '/^ *[0-9]+ / { name = $2 ":" $3 "::" $NF } /args\[0\]: struct .* \*$/ { print name " /args[0] == NULL/ { exit(0); }" }' >many.d
command="exec $dtrace -x cache=off -qs many.d"
: >shown
script -qec "$command" /dev/null >shown 2>&1 </dev/null &
until grep -aqE 'dtrace: 0 of [0-9]+ programs compiled' shown; do sleep 0.05; done
kill -TERM "$(pgrep -P $!)"
wait $!
echo "a terminal: status $?"
timeout -s TERM 1 sh -c "$command" >shown 2>&1
echo "none: status $?, $(wc -c <shown) bytes"
