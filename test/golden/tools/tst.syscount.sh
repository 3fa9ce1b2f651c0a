#!/bin/bash
# ASSERTION: syscount.d counts as many calls as a program makes, by call and by process, and those that fail.
# @@timeout: 180      @@tags: long release
. ./common.sh
cat >"$tmpdir/load.py" <<'PY'
import os
for i in range(1000): os.getppid()
for i in range(300):
    try: os.rmdir("/nonexistent")
    except OSError: pass
PY
tool syscount.d -c "$python $tmpdir/load.py"
awk_claim "as many calls as were made" '$1 == "getppid" { a = $2 } $1 ~ /^(rmdir|unlinkat)$/ { b = $2 } END { exit a != 1000 || b != 300 }'
awk_claim "the most first" 'NR == 2 { last = $2 } NR > 2 { bad = bad || $2 > last; last = $2 } END { exit bad }'
tool syscount.d -x -c "$python $tmpdir/load.py"
awk_claim "-x counts failures only" '$1 == "getppid" { bad = 1 } $1 ~ /^(rmdir|unlinkat)$/ { b = $2 } END { exit bad || b != 300 }'
tool syscount.d -P -c "$python $tmpdir/load.py"
awk_claim "-P counts by process" 'NR == 2 { exit !($2 ~ /^python3/ && $3 >= 1300) } END { exit NR != 2 }'
tool syscount.d -m 1 -c "$python $tmpdir/load.py"
awk_claim "-m keeps the first rows" 'END { exit NR != 2 }'
tool syscount.d -i 1 -t 3
awk_claim "-i prints every second" '/^CALL/ { n++ } END { exit n < 3 || n > 4 }'
