#!/bin/bash
# ASSERTION: on a terminal a mistake is followed by what may have been meant, or by what an option takes; nowhere else.
# SECTION: Command line, 9 and 14
# @@tags: userland
command -v script >/dev/null || { echo "script(1) is not installed" >&2; exit 1; }
cd "$tmpdir" || exit 1
on_terminal() {
	echo "\$ dtrace $*"
	script -qec "$(printf '%q ' "$dtrace" "$@")" /dev/null </dev/null 2>&1 | tr -d '\r'
}
on_terminal -x quite -n BEGIN
on_terminal -x nothingofthekind -n BEGIN
on_terminal -b 4q -n BEGIN
on_terminal -x evaltime=never -n BEGIN
on_terminal -x evaltime -n BEGIN
on_terminal -x zdefs=1 -n BEGIN
on_terminal -x aggrate=often -n BEGIN
on_terminal -x setenv=NAME -n BEGIN
on_terminal -n syscall::raed:entry
on_terminal -n lockstat:::adaptive-block
on_terminal -n 'BEGIN{trace(pdi)}'
printf '#pragma D option quite\nBEGIN{exit(0)}\n' >pragma.d
on_terminal -s pragma.d
"$dtrace" -x quite -n BEGIN 2>&1
"$dtrace" -n syscall::raed:entry 2>&1
exit 0
