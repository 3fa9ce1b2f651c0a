#!/bin/bash
# ASSERTION: procsystime.d shows the time that sleeps take, to the microsecond's order, with count, sum, average and percentiles.
# @@timeout: 180      @@tags: long release
. ./common.sh
cat >"$tmpdir/load.py" <<'PY'
import select
for i in range(10): select.select([], [], [], 0.02)
PY
tool procsystime.d -c "$python $tmpdir/load.py"
awk_claim "ten waits" '$1 ~ /^p?select6?$/ && $2 == 10 { n++ } END { exit n != 1 }'
awk_claim "of 20 ms" '$1 ~ /^p?select6?$/ { exit !($3 >= 200000 && $4 >= 20000 && $5 >= $4 && $6 >= 20000 && $7 >= $6) }'
awk_claim "the sum is count times average" '$1 ~ /^p?select6?$/ { d = $3 - $2 * $4; exit !(d >= 0 && d < $2) }'
