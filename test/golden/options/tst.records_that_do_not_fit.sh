#!/bin/bash
# ASSERTION: a record that can never fit its buffer is refused at the start; where no size was asked for, the buffer is made
#   large enough. exit() is never lost, whatever the sizes.
# SECTION: Options, 18
# @@timeout: 120
# @@parts
. "$(dirname "$0")/../../runner/sections.sh"
. "$(dirname "$0")/../../runner/show.sh"
large() { # as run, but shows only the size of what was printed
	echo "\$ dtrace $*"
	timeout "${slow:+6}20" "$dtrace" "$@" >out 2>err </dev/null
	local status=$?
	[ "$(wc -c <out)" -gt 40000 ] && echo large
	sed 's/^/! /' err
	echo "status $status"
}
large -qn 'BEGIN{tracemem(curthread, 70000);exit(0)}' | sed 's/^! .*invalid address.*/! beyond the end/;s/status 124/runs on/'
large -qn 'BEGIN{tracemem(curthread, 3000);} BEGIN{exit(0)}'
for policy in switch fill ring; do
	for size in '' '-b 4k' '-b 64k' '-b 1m'; do
		# shellcheck disable=SC2086
		section "$policy $size" && large -q $size -xbufpolicy=$policy -xstrsize=100k -n 'BEGIN{printf("%60000s", copyinstr(curthread->mm->arg_start)); exit(0)}'
	done
done
section "END and exit" || exit 0
run -q -b 4k -n 'BEGIN{exit(0)} END{tracemem(curthread, 3000); tracemem(curthread, 3000);}'
run -q -b 4k -n 'BEGIN{exit(0)} END{tracemem(curthread, 3000);} END{tracemem(curthread, 3000);}'
large -qn 'BEGIN{exit(3)} END{tracemem(curthread, 30000);} END{tracemem(curthread, 30000);} END{tracemem(curthread, 30000);}' | sed 's/^! .*invalid address.*/! beyond the end/'
# The record of exit() has no room: it is counted, and tracing ends nevertheless.
run -q -b 4k -n 'BEGIN{tracemem(curthread, 3000)} BEGIN{tracemem(curthread, 3000);printf("%d", 1);exit(0)}' | sed 's/CPU [0-9]*/CPU n/' | grep -v '^ '
run -qxstrsize=2g -n 'BEGIN{trace(copyinstr(curthread->mm->arg_start)); exit(0)}' | sed -E 's/: .*/: .../'
run -qxstrsize=100k -n 'BEGIN{self->s = copyinstr(curthread->mm->arg_start); exit(0)}'
run -qxstrsize=8m -n 'BEGIN{s[1] = copyinstr(curthread->mm->arg_start); exit(0)}'
run -qxstrsize=8m -n 'BEGIN{@[copyinstr(curthread->mm->arg_start)] = count(); exit(0)}'
run -qxstrsize=0 -n 'BEGIN{exit(0)}'
run -qxstrsize=9m -n 'BEGIN{exit(0)}'
run -qn 'BEGIN{tracemem(curthread, 0x10000000); tracemem(curthread, 0x10000000); exit(0)}'
