#!/bin/bash
# ASSERTION: profile samples of a program that spins name its function at the top of its user stack.
# SECTION: profile provider
# Until 300 samples are taken, however little of a processor the program gets.
"$dtrace" -qn 'profile-997 /pid == $target && arg1/ { @[ustack(1)] = count(); samples++; } tick-50ms /samples >= 300/ { exit(0); }' \
	-c "$(dirname "$dtrace")/../test/triggers/spin 60" 2>/dev/null | awk '
	NF == 1 && /`/ { frame = $1 } NF == 1 && /^ *[0-9]+$/ { n[frame] += $1; all += $1 }
	END { for (f in n) if (f ~ /^spin`spin_here/) top += n[f]; print (top > 0.9 * all && all >= 300 ? "spins" : top " of " all) }'
