#!/bin/bash
# ASSERTION: of the errors of one clause the first 100 are reported, and of the others how many there were; ERROR fires for
# each.
# SECTION: Faults
. "$(dirname "$0")/../../runner/show.sh"
"$dtrace" -xcpu=0 -qn 'BEGIN{n=0;bad=0} tick-1ms{n++} tick-1ms{trace(*(int*)0)} tick-1ms/n%2/{trace(*(int*)8)} ERROR{bad++}
	tick-1ms/n==400/{exit(0)} END{printf("%d", bad)}' >out 2>err
echo "status $?"
for clause in 2 3; do
	reported=$(grep -c "error in dt_clause_$clause " err)
	more=$(sed -n "s/^dtrace: \([0-9]*\) more errors in dt_clause_$clause\$/\1/p" err | paste -sd+)
	echo "clause $clause: reported $reported, in all $((reported + more))"
done
echo "ERROR fired $(($(cat out)))"
grep -v 'error in dt_clause_[23] for probe\|more errors in dt_clause_[23]$' err
true
