#!/bin/bash
# ASSERTION: a bad load ends its clause, leaves no record, fires ERROR with the reference's arguments; exit status is exit()'s.
# SECTION: Faults and the ERROR probe
$dtrace -qn 'BEGIN { printf("not seen\n"); trace(*(int *)0); } BEGIN { printf("next\n"); } ERROR { printf("%d %d %x\n", arg1, arg4, arg5); exit(1); }' 2>/tmp/err.$$
echo "status $?"
sed 's/ at BPF pc [0-9]*//' /tmp/err.$$
rm -f /tmp/err.$$
