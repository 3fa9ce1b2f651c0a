#!/bin/bash
# ASSERTION: a clause without data makes no row; an empty one makes one; matched counts every clause.
# SECTION: Default output of trace data
$dtrace -n 'BEGIN{x=1;} BEGIN{} BEGIN{@=count();} BEGIN{exit(0)}' 2>&1 | sed 's/^ *[0-9]*  *1 /CPU 1 /' | sed 's/ *$//'
