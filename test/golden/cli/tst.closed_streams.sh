#!/bin/bash
# ASSERTION: a standard stream that is closed, or full, ends in a message and a status, never in text written elsewhere or
#   in an abort; what cannot be said on standard error stops nothing.
# SECTION: Command line, 8 and 10
. "$(dirname "$0")/../../runner/show.sh"
for what in '-n BEGIN{trace(1);exit(0)}' '-l -n BEGIN' -V --help '-v -n BEGIN{exit(0)}'; do
	IFS=' ' read -r -a words <<<"$what"
	echo "\$ dtrace $what"
	for place in '>&-' '>/dev/full'; do
		eval '"$dtrace" -q "${words[@]}" '"$place"' 2>err'
		echo "status $?"
		sed 's/^/! /' err
	done
done
"$dtrace" -xcpu=0 -n 'BEGIN{trace(1);exit(0)}' 2>&-
echo "status $?"
"$dtrace" -xcpu=0 -qn 'BEGIN{trace(1);exit(0)}' 2>/dev/full
echo "status $?"
"$dtrace" -y 2>&-
echo "status $?"
"$dtrace" -qn 'BEGIN{trace("no input");exit(0)}' <&-
echo "status $?"
"$dtrace" -qn 'BEGIN{trace("nothing open")}' <&- >&- 2>&- -c true
echo "status $?"
