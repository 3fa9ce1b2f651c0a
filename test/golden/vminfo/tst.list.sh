#!/bin/bash
# ASSERTION: vminfo has a probe for each counter of virtual memory that Linux can tell, and names what there is instead of the
#   others.
# SECTION: Providers, 16
"$dtrace" -l -P vminfo | awk '$1 ~ /^[0-9]+$/ { print $2 ":" $3 "::" $NF }'
for name in zfod cow_fault execpgin pgrec rev swapin; do "$dtrace" -n "vminfo:::$name" 2>&1 | tail -n 1; done
