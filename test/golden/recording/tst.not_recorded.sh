#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: an expression that was not recorded is an error that says how to record it; one that only a run of its
#   program can tell is refused when it is recorded, and when it is replayed.
# SECTION: Recordings    @@tags: userland
. ../../runner/show.sh
"$dtrace" -q --record run.rec -n 'BEGIN { trace(pid); trace(execname); exit(0); }'
run -xerrtags --replay run.rec -n 'BEGIN { trace(uid); exit(0); }'
run --replay run.rec -n 'BEGIN { trace(strjoin(execname, "!")); trace(ppid + 1); exit(0); }'
run -q --replay run.rec -n 'BEGIN { trace(strjoin(execname, "!")); exit(0); }'
run --replay run.rec -n 'syscall:::entry { @ = count(); }'
run -xerrtags --record none.rec -n 'BEGIN { self->p = arg0; trace(copyinstr(self->p)); exit(0); }'
run -q --replay run.rec -n 'BEGIN { system("echo no"); exit(0); }'
run -x recordstacks=all --record none.rec -n BEGIN
run -q --record none.rec -o text -n BEGIN
run --record none.rec
run --record none.rec -l -n BEGIN
[ ! -e none.rec ]
