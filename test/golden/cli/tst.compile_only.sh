#!/bin/bash
# ASSERTION: -e compiles and stops without a word; with -v it reports stability and arguments.
# SECTION: Command line, 6.6
# @@tags: userland
. "$(dirname "$0")/../../runner/show.sh"
run -e -n 'BEGIN{printf("never\n")}'
run -e
run -e -n 'BEGIN{system("never")}'
run -e -n 'BEGIN{nosuch}'
run -ev -n 'dtrace:::BEGIN{trace(pid)}'
run -ev -n 'BEGIN{trace(1)} END{trace(2)} BEGIN{}'
run -v -qn 'dtrace:::BEGIN{exit(0)}'
run -eS -n 'dtrace:::BEGIN{exit(0)}' >listing
head -1 listing
tail -1 listing
grep -c 'BEGIN_0' listing | sed 's/^[1-9].*/names its program/'
