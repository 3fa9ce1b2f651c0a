#!/bin/bash
# ASSERTION: -F indents by entry and return, also with quiet; further clauses of a probe do not move it.
# SECTION: Command line, 7
. "$(dirname "$0")/../../runner/show.sh"
run -xcpu=0 -Fn 'BEGIN{trace(1);exit(0)}'
run -xcpu=0 -Fqn 'BEGIN{trace(1)} END{printf("end")} BEGIN{exit(0)}'
run -xcpu=0 -Fn 'BEGIN{x=1;exit(0)} END{@=count()}'
# Which of a firing's rows is the last one is seen from the row after it: no pass may come between them.
run -xcpu=0 -xswitchrate=10s -qc 'taskset -c 0 cat /dev/null' -F -n '
syscall::openat:entry, syscall::openat:return, syscall::fadvise64:entry, syscall::fadvise64:return
/pid == $target && execname == "cat"/ { self->on = 1; }
syscall::fadvise64:entry /self->on/ { trace("first"); }
syscall::fadvise64:entry /self->on/ { printf("second"); }
syscall::fadvise64:return /self->on/ { trace(1); }
syscall::fadvise64:return /self->on/ { trace(2); exit(0); }'
