#!/bin/bash
# ASSERTION: a description that names no provider has the attributes of the providers whose probes it matches; -32 is refused
#   for D programs.
# SECTION: Stability
# @@tags: userland
"$dtrace" -ve -n 'BEGIN { x = 1; trace(x); }' 2>&1
"$dtrace" -ve -n 'syscall::read:entry, BEGIN { trace(1); }' 2>&1 | grep Names
"$dtrace" -32 -e -n 'BEGIN { trace(sizeof (long)); }' 2>&1
echo "status $?"
