#!/bin/bash
# ASSERTION: -T and the option duration end tracing after a time, as exit(0) would: END runs, aggregations are shown, the
#   status is 0; the time begins when probes are armed, and an exit() before it counts. What is no time is refused.
# SECTION: Options, 19
. "$(dirname "$0")/../../runner/ranges.sh"
. "$(dirname "$0")/../../runner/show.sh"
between() { awk -v least="$2" -v most="$3" 'NF { print ($1 >= least * 1e9 && $1 < most * 1e9 ? "in time" : $1), "status", $2 }' <<<"$1"; }
ran() { "$dtrace" "$@" -qn 'BEGIN { self->from = timestamp; } END { printf("%d", timestamp - self->from); }' | tr -d "\n"; echo " ${PIPESTATUS[0]}"; }
between "$(ran -T 1)" 1 9
between "$(ran -T 700ms)" 0.7 8
between "$(ran -x duration=1s)" 1 9
"$dtrace" -T 1h -qn 'BEGIN { exit(3); }'
echo "exit $?"
"$dtrace" -T 1 -qn 'profile-100hz { @ = count(); }' | awk 'NF { print "ticks", $1 }' | ranges 'ticks 10..'
"$dtrace" -qn '#pragma D option duration=200ms
tick-1ms { n++; } END { printf("by pragma %d\n", n); }' | ranges 'by pragma 10..'
for time in 0 0s 10hz x '' -1 1w; do run -T "$time" -n BEGIN; done
