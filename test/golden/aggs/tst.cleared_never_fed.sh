# ASSERTION: operations on an aggregation make a row as other actions do, and nothing else of an aggregation that was never
#            fed: it has no entry to clear, print or normalize, with keys or without; quiet programs print nothing.
# SECTION: Aggregations/Operations
. "$(dirname "$0")/../../runner/show.sh"
never='tick-1d { @a = count(); @k[1] = quantize(1); }'
run -xcpu=0 -n "BEGIN { clear(@a); } BEGIN { clear(@k); } $never BEGIN { exit(0); }"
run -xcpu=0 -n "BEGIN { trunc(@a); trunc(@k, 1); normalize(@a, 2); denormalize(@k); exit(0); } $never"
run -xcpu=0 -qn "BEGIN { clear(@a); clear(@k); trunc(@k, -1); normalize(@a, 7); } $never END { exit(0); } tick-1ms { exit(0); }"
run -xcpu=0 -qn "BEGIN { clear(@a); printa(\"a %@d\n\", @a); printa(\"k %d %@d\n\", @k); exit(0); } $never"
