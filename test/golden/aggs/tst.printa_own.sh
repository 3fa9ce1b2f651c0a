#!/bin/bash
# ASSERTION: what may follow printa()'s aggregations; option strict has neither numbers of entries, nor orders, nor rates, nor
#   units.
# SECTION: Aggregations
exec 2>&1
for call in 'printa(@, "name")' 'printa(@, "key")' 'printa(@, "value0")' 'printa(@k, "key2")' 'printa(@, 1, "-value2")' \
	'printa(@, execname)' 'printa(@, 1, 2)' 'printa(@, 1, "value", @k)' 'printa("%@/d\n", @q)' 'printa("%@/d\n", @m)' \
	'printf("%/d\n", 1)' 'printa("%@K\n", @q)' 'printa("%@.1f\n", @q)'; do
	"$dtrace" -xerrtags -qn "BEGIN { @ = count(); @k[1] = count(); @q = quantize(1); @m = max(1); $call; exit(0); }"
done
for call in 'printa(@, 1)' 'printa(@, "value")' 'printa("%@/d\n", @)' 'printa("%@K\n", @)' 'printa("%@.1f\n", @)' \
	'printf("%B\n", 1)' 'printf("%N\n", 1)'; do
	"$dtrace" -xerrtags -xstrict -qn "BEGIN { @ = count(); $call; exit(0); }"
done
exit 0
