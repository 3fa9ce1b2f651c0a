#!/bin/bash
# ASSERTION: sysinfo has a probe for each of the system's counters that Linux can tell, and names what there is instead of the
#   others. Those of kernels of today only are left out here.
# SECTION: Providers, 17
"$dtrace" -l -P sysinfo | awk '$1 ~ /^[0-9]+$/ { print $2 ":" $3 "::" $NF }' |
	grep -v '::xcalls$\|::mutex_adenters$\|::rw_..fails$\|::mod.*load$'
"$dtrace" -ln 'sysinfo:genunix:read:readch' | awk '$1 ~ /^[0-9]+$/ { print $NF }'
for name in trap namei bread cpu_ticks_wait phread rawch ufsiget; do
	"$dtrace" -n "sysinfo:::$name" 2>&1 | tail -n 1
done
