#!/bin/bash
# ASSERTION: rates beyond their bounds are changed, and that is said in hz or seconds; values without sense are refused; a
#   switchrate holds records back until it is due or tracing ends.
# SECTION: Options, 14, 17 and 19
# @@timeout: 120
# @@parts
# @@tags: release
. "$(dirname "$0")/../../runner/sections.sh"
. "$(dirname "$0")/../../runner/show.sh"
for rate in 0 1 1ns 200us 199999 1ms 999us 1hz 100hz 0hz 5000hz 5001hz 10s 11s 60s 61s 1m 2MIN 1h 1D 1sec 1Sec 1usec; do
	section "$rate" || continue
	"$dtrace" -xcleanrate=$rate -qn 'BEGIN{exit(0)}' 2>&1 | sed "/^\$/d;s/^/clean $rate: /"
	"$dtrace" -xstatusrate=$rate -qn 'BEGIN{exit(0)}' 2>&1 | sed "/^\$/d;s/^/status $rate: /"
	"$dtrace" -xswitchrate=$rate -xaggrate=$rate -qn 'BEGIN{@ = count();printf("%s", "");exit(0)}' 2>&1 | tr -d ' \n'
	echo
done
for rate in x 1x 1e3 -1 '' 99999999999999999999 1weeks 999999999999d; do section "$rate" && run "-xswitchrate=$rate" -n BEGIN; done
section "records and keys" || exit 0
# While the rate is not due, nothing comes out, whatever goes on; at the end everything does.
"$dtrace" -xswitchrate=1d -qn 'BEGIN{printf("begin\n")} tick-100ms{printf("%d\n", ++n)}' >out 2>err &
pid=$!
until grep -qs begin out; do :; done
"$dtrace" -qn 'tick-10ms/++n == 70/{exit(0)}' >/dev/null
cat out
kill -TERM $pid
wait $pid
awk '/^[0-9]/ { if ($1 != ++n) print "gap before", $1 } END { print (n > 3 ? "ticks" : n) }' out
# A full buffer does not wait for it.
"$dtrace" -xswitchrate=1d -b 16k -xcpu=0 -qn 'profile-1ms{printf("%d\n", ++n)} profile-1ms/n == 2000/{exit(0)}' |
	awk 'NF { if ($1 != ++n) print "gap before", $1 } END { print n }'
# Nor do aggregations: with a table for a few keys, how many are lost depends on how soon we get a processor. Most are
# not, and the others are counted.
"$dtrace" -xswitchrate=1d -xcpu=0 -xaggsize=4k -xdroptags -qn 'profile-1ms{@[++n] = count()} profile-1ms/n == 2000/{exit(0)} END{printa("%d\n", @)}' 2>&1 |
	awk '/^[0-9]+$/ { n++ } /aggregation drop/ { lost += $3 } END { print (n > 1000 && n + lost == 2000 ? "emptied often" : n " and " lost) }'
