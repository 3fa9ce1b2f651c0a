#!/bin/bash
# ASSERTION: -o appends data, never notices; a program that does not compile leaves no file.
# SECTION: Command line, 2 and 3
. "$(dirname "$0")/../../runner/show.sh"
run -o file -xcpu=0 -n 'BEGIN{trace(1);exit(0)}'
run -o file -xcpu=0 -n 'BEGIN{printf("two");exit(0)}'
run -o file -qn 'BEGIN{printf("three\n");@=count();exit(0)}'
cat file
run -o none -n 'BEGIN{x=}'
run -o none -n nosuch
ls
run -o /nonexistent/file -n 'BEGIN{exit(0)}'
