#!/bin/bash
# ASSERTION: what the machine cannot give is lowered and said to be, or refused if bufresize is manual; rates have bounds;
#   versions, variables and probe numbers are checked; -c commands get the environment that was asked for.
# SECTION: Options, 14 to 18
# @@parts
. "$(dirname "$0")/../../runner/sections.sh"
. "$(dirname "$0")/../../runner/show.sh"
lowered() { sed -E 's/lowered to [0-9]+[kmg]$/lowered to what there is/'; }
if section "of memory"; then
	run -qb 64t -n 'BEGIN{exit(0)}' | lowered
	run -qb 64t -n 'syscall::write:entry/pid == $target/{printf("written\n");exit(0)}' -c 'echo one' | grep -v -e ' one' -e '^one$' -e '^$' | lowered
	run -qxquietresize -b 64t -n 'BEGIN{exit(0)}'
	run -qxbufresize=manual -b 64t -n 'BEGIN{exit(0)}'
fi
if section "of rates and versions"; then
	run -qxcleanrate=10000hz -xstatusrate=1m -n 'BEGIN{exit(0)}'
	run -qxcleanrate=2m -n 'BEGIN{exit(0)}'
	run -qxversion=1.6.2 -n 'BEGIN{exit(0)}'
	run -xversion=1.99 -n BEGIN
	run -xversion=new -n BEGIN
fi
if section "of the environment"; then
	run -xsetenv=NOVALUE -n BEGIN
	run -xunsetenv=A=1 -n BEGIN
	A=outside B=outside run -qxsetenv=C=1 -xsetenv=A=2 -xunsetenv=B -xsetenv=C=3 -c env -n 'BEGIN{}' | grep '^[ABC]='
fi
if section "of numbers"; then
	for id in x 1x -1 '' 4000000000 '1 2'; do run -i "$id"; done
	run -qi '1{trace("by number");exit(0)}'
	run -qxtree=3 -n 'BEGIN{exit(0)}'
	run -qxverbose -n 'BEGIN{exit(0)}' | grep -c '^! define.*BEGIN'
fi
exit 0
