#!/bin/bash
# ASSERTION: -V prints the versions of the language and of the program and ends, before anything else is looked at; data models are accepted.
# SECTION: Command line, 6.5
# @@tags: userland unprivileged
. "$(dirname "$0")/../../runner/show.sh"
version() { "$dtrace" "$@" | sed 's/[0-9][0-9.]*$/N/'; }
version -V
version -32 -V
version -V -64
version -V -s /nonexistent -n 'syntax error'
"$dtrace" -V 2>&1 >/dev/full
echo "status $?"
"$dtrace" -Vv | grep -x 'This is DTrace 2\.0\.0'
