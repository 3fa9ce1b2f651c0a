#!/bin/bash
# ASSERTION: loadavg[], memtotal and memfree are what /proc says.
# SECTION: Variables/Built-in variables
exec 2>&1
near() { awk -v what="$1" -v a="$2" -v b="$3" -v slack="$4" 'BEGIN { d = a > b ? a - b : b - a
	print what, d <= slack ? "as /proc says" : a " is not " b }'; }
read -r one five fifteen _ </proc/loadavg
read -r load1 load5 load15 total free < <("$dtrace" -qn 'BEGIN {
	printf("%.2f %.2f %.2f %d %d\n", loadavg[0] / 100.0, loadavg[1] / 100.0, loadavg[2] / 100.0, memtotal, memfree); exit(0); }')
near "one minute" "$load1" "$one" 1
near "five minutes" "$load5" "$five" 0.5
near "fifteen minutes" "$load15" "$fifteen" 0.5
near total "$((total / 1024))" "$(awk '/^MemTotal/ { print $2 }' /proc/meminfo)" 100
near free "$((free / 1024))" "$(awk '/^MemFree/ { print $2 }' /proc/meminfo)" 200000
exit 0
