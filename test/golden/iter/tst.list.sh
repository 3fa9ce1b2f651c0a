#!/bin/bash
# ASSERTION: iter has probes for each kind of object that the kernel can walk, at the begin, the end and at rates; others exist
#   when they are named. What is no object, no time or none of this kernel's iterators is refused with the reason.
# SECTION: Providers, iter
list() {
	"$dtrace" -l "$@" 2>&1 | awk '/^ *ID/ { next } /^ *[0-9]/ { $1 = "-"; } { print }'
}
list -n 'iter::task:,iter::file:'
list -n 'iter:::*-done'
list -n 'iter::tcp:every-7s' -n 'iter::udp:every-50hz' -n 'iter:::every-7s-done'
"$dtrace" -lv -n 'iter::task:at-begin,iter::file:at-begin,iter::vma:at-begin,iter::tcp:at-begin' |
	awk '/^\t\targs/ || /iter/ { $1 = $1; if (/iter/) $1 = "-"; print }'
for probe in iter::disk:at-end iter::task:at-dawn iter::task:every-10us iter::task:at-end-done; do
	"$dtrace" -n "$probe" 2>&1 | tail -n 1
done
exit 0
