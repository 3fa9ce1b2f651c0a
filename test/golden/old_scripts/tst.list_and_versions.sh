#!/bin/sh
# ASSERTION: -l with names, -n lists on one command line, -V, -e, -i, -P -m -f and -n together.
$dtrace -l -n 'dtrace:::BEGIN' | tail -1
$dtrace -ln syscall::lseek:entry | awk '{ print $2, $(NF-1), $NF }'
$dtrace -l -P syscall -f lseek 2>/dev/null | tail -2 | awk '{ print $2, $(NF-1), $NF }'
$dtrace -e -n 'syscall::lseek:entry { @ = count(); }'; echo "status $?"
$dtrace -qn 'BEGIN { n = 1 }' -n 'BEGIN { printf("%d\n", n); exit(0); }'
$dtrace -qi 1 -n 'BEGIN { exit(0); }'; echo "status $?"
$dtrace -V | grep -c 'dtrace: '
