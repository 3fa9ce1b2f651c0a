#!/bin/bash
# ASSERTION: destructive programs need -w, also if they match nothing; with it a notice says so.
# SECTION: Command line, 23
. "$(dirname "$0")/../../runner/show.sh"
run -n 'BEGIN{system("echo never"); exit(0)}'
run -n 'BEGIN{freopen("never"); exit(0)}'
run -Zn 'nosuch{system("echo never")}' -n 'BEGIN{exit(0)}'
run -xcpu=0 -wn 'BEGIN{system("echo done"); exit(0)}'
run -wqn 'BEGIN{system("echo done"); exit(0)}'
run -xdestructive -qn 'BEGIN{system("echo %s %d", "done", 2); exit(0)}'
printf '#pragma D option destructive\nBEGIN{system("echo done"); exit(0)}' >pragma.d
run -qs pragma.d
run -wqn 'BEGIN{exit(0)}'
ls
