#!/bin/bash
# ASSERTION: rows that could not be written are counted: a full file ends with its last whole row, and what it has and what
# the ledger has are what was made. The same of a pipe whose reader goes away, which says nothing besides.
# SECTION: Command line, 10
. "$(dirname "$0")/../../runner/show.sh"
made=100
program=$(for i in $(seq $made); do echo 'BEGIN{printf("%1999d\n", 1)}'; done; echo 'BEGIN{exit(0)}')
lost() { sed -n 's/.*"cause":"OutputLost"[^}]*"count":\([0-9]*\).*/\1/p' err; }
says() { grep -v '^{' err; }
(ulimit -f 50; exec "$dtrace" -xbufsize=1m -xledger=json -o full -qn "$program") 2>err
echo "status $?"
says
echo "whole rows $(($(stat -c %s full) % 2000 == 0)), of all $(($(grep -c . full) + $(lost) == made)), some of each $(($(grep -c . full) > 10 && $(lost) > 10))"

echo "== appended to a file that has something already"
printf 'here before\n' >full
(ulimit -f 1; exec "$dtrace" -xbufsize=1m -xledger=json -o full -qn "$program") 2>err
echo "status $?"
cat full
lost

echo "== a reader that goes away"
program=${program//1999d/19999d} # a pipe holds 16 pages
{ "$dtrace" -xbufsize=4m -xledger=json -qn "$program" 2>err; echo "status $?" >status; } | head -1 | tr -d ' '
cat status
says
echo "some lost $(($(lost) > 10))"
