#!/bin/bash
# ASSERTION: profile-n and tick-n take every unit, in capitals too, nothing is faster than 5000 a second, and a rate of nothing is none.
# SECTION: Providers, 5
# @@parts
. "$(dirname "$0")/../../runner/sections.sh"
cd "$tmpdir" || exit 1
"$dtrace" -lP profile | awk 'NR > 1 { print $2, $3, $4 }'
for rate in 1 97 5000 5001 10001 100hz 5001hz 200us 199us 200000ns 199999ns 200000nsec 250usec 1ms 1msec 1s 1sec 1m 1min 1h 1hour 1d 1day \
	0 0hz 0s -1 1x 1.5s s 01 0x10 99999999999999999999 1S 1MS 10Hz; do
	section "$rate" || continue
	for kind in profile tick; do
		"$dtrace" -en "$kind-$rate{}" >out 2>&1 && echo "$kind-$rate" || echo "$kind-$rate: $(sed 's/^dtrace: invalid probe specifier [^ ]*: //' out)"
	done
done
