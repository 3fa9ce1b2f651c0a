#!/bin/bash
# ASSERTION: A program leaves the CPU as often as its own counters (getrusage, /proc/PID/status) say, and against its will as
#   often; the idle thread is one of those that get it. On idle CPUs ticks are idle, in a program that computes the user's.
# SECTION: Providers, 17
# @@timeout: 60
. ../../runner/ranges.sh
set -o pipefail
"$dtrace" -q -n '
syscall::getsid:entry /pid == $target && arg0 == 1/ { switches = 0; against = 0; }
syscall::getsid:entry /pid == $target && arg0 == 2/ { last_switches = switches; last_against = against; }
sysinfo:::pswitch /pid == $target/ { switches += arg0; }
sysinfo:::inv_swtch /pid == $target/ { against += arg0; }
sysinfo:::idlethread { wrong += pid == 0; }
END {
	printf("pswitch %d, inv_swtch %d\n", last_switches, last_against);
	printf("from idle to idle %d\n", wrong);
}' -c "$triggers/counters switches" | awk '
	/^pswitch/ { seen[$0]++; lines++; split($2, number, ","); enough = number[1] >= 25; next }
	{ print }
	END { print lines, "lines", length(seen) == 1 && enough ? "that are the same" : "that differ" }'
"$dtrace" -q -n '
sysinfo:::cpu_ticks_user /pid == $target/ { user += arg0; }
sysinfo:::cpu_ticks_kernel /pid == $target/ { kernel += arg0; }
sysinfo:::cpu_ticks_idle /pid == $target/ { idle += arg0; }
sysinfo:::cpu_ticks_idle /pid != 0/ { wrong++; }
END { printf("ticks %d, of a hundred the user has %d, idle %d, idle in a program %d\n", user, user ? user * 100 / (user + kernel) : 0, idle, wrong); }' \
	-c "$triggers/spin 1" | ranges 'ticks 10..' 'the user has 60..'
