#!/bin/bash
# ASSERTION: With -Z, a function that a process or a file does not have is no error: other clauses fire. -l lists nothing and says
# why. Without -Z it is an error, as is what cannot be asked for at all.
# SECTION: Command line, -Z
. "$(dirname "$0")/../../runner/show.sh"
run -Zqn 'pid$target:libc:nosuch:entry' -c true
run -Zqn 'pid$target:libc:nosuch:entry { never++; } END { printf("%d", never); }' -c true
run -Zqn 'pid*:libc.so.6:nosuch:return { never++; } BEGIN { printf("%d", never); exit(0); }'
run -qn 'pid$target:libc:nosuch:entry' -c true
run -Zqn 'pid$target:libc:malloc:nosuch' -c true
run -ln 'pid$target:libc:nosuch:entry' -c true | sed 's,pid[0-9]*:,pidN:,'
