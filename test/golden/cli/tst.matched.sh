#!/bin/bash
# ASSERTION: one notice per program: its name cut at the clause, every match of every clause counted; quiet silences it.
# SECTION: Command line, 6.1
. "$(dirname "$0")/../../runner/show.sh"
echo 'BEGIN{exit(0)} END{}' >two.d
printf '#pragma D option quiet\nBEGIN{exit(0);}\n' >quiet.d
run -xcpu=0 -n 'BEGIN{exit(0)} END{trace(1)}'
run -xcpu=0 -n 'dtrace:::BEGIN /1/ {exit(0)}'
run -xcpu=0 -n 'BEGIN,END,BEGIN{exit(0)}'
run -xcpu=0 -Zn nosuch -s two.d -P dtrace
run -s quiet.d
run -q -s two.d
run -xquiet -s two.d
