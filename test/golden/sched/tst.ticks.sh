#!/bin/bash
# ASSERTION: sched:::tick fires as often as the kernel's clock ticks, whatever its HZ is.
# SECTION: sched provider
cd "$tmpdir" || exit 1
hz=$(python3 -c 'import time; print(round(1 / time.clock_getres(6)))') # CLOCK_MONOTONIC_COARSE
least=9 # of ten; where all is emulated, clocks lag one by one
[ -z "$slow" ] || least=6
"$dtrace" -qn "
int ticks, samples;
sched:::tick /cpu == 0/ { ticks++; }
profile:::profile-$hz /cpu == 0/ { samples++; }
tick-1s /samples > $hz/ { exit(0); }
END { printf(\"%s\n\", samples * $least <= ticks * 10 && ticks * $least <= samples * 10 ? \"as often\" : \"not\"); printf(\"%d %d\n\", ticks, samples); }" >out
head -1 out
grep -q '^as' out || tail -1 out
