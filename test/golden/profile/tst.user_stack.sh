#!/bin/bash
# ASSERTION: profile samples of a program that spins name its function at the top of its user stack.
# SECTION: profile provider
$dtrace -qn 'profile-997 /pid == $target && arg1/ { @[ustack(1)] = count(); } tick-1s { exit(0); }' \
	-c "$(dirname "$dtrace")/../test/triggers/spin 2" 2>/dev/null | awk 'NF == 1 && /`/ { frame = $1 } NF == 1 && /^ *[0-9]+$/ { n[frame] += $1 } END { for (f in n) if (f ~ /^spin`spin_here/) total += n[f]; print (total > 300 ? "spins" : "too few: " total) }'
