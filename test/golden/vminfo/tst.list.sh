#!/bin/bash
# ASSERTION: vminfo has a probe for each counter of virtual memory that Linux can tell, and names what there is instead of the
#   others. as_fault, prot_fault and kernel_asflt are those of tst.faults: not every processor's kernel has their tracepoints.
# SECTION: Providers, 16
"$dtrace" -l -P vminfo | awk '$1 ~ /^[0-9]+$/ && $NF !~ /^(as_fault|prot_fault|kernel_asflt)$/ { print $2 ":" $3 "::" $NF }'
for name in zfod cow_fault execpgin pgrec rev swapin; do "$dtrace" -n "vminfo:::$name" 2>&1 | tail -n 1; done
