#!/bin/bash
# ASSERTION: without privileges: tracing and listing are refused with one line, which names what is missing, and status 2;
#   -V and -e work, and -Vv does not take what it may not ask for missing.
# SECTION: Command line, 2 and 22
# @@tags: userland
. "$(dirname "$0")/../../runner/show.sh"
chmod 755 . 2>/dev/null
dtrace_root=$dtrace
unprivileged() { setpriv --reuid 65534 --regid 65534 --clear-groups "$dtrace_root" "$@"; echo "status $?"; }
setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$dtrace" || { dtrace_root=$tmpdir/dtrace; cp "$dtrace" "$dtrace_root"; }
unprivileged -n BEGIN 2>&1
unprivileged -l 2>&1
unprivileged -V 2>&1 | sed 's/D [0-9][0-9.]*$/D N/'
unprivileged -Vv 2>&1 | sed 's/D [0-9][0-9.]*$/D N/'
unprivileged -xnolibs -en 'BEGIN{exit(0)}' 2>&1
