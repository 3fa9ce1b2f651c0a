#!/bin/bash
# ASSERTION: slabratetop.d counts an open file for each open(2) of a program, with the size that the kernel gives it.
# @@timeout: 180      @@tags: long release
. ./common.sh
cat >"$tmpdir/load.py" <<PY
import os
comm = open("/proc/self/comm", "w")
fds = [os.open("/dev/null", os.O_RDONLY) for _ in range(10)]
comm.write("$name")
comm.flush()
for _ in range(1000): fds.append(os.open("/dev/null", os.O_RDONLY))
os._exit(0)
PY
ulimit -n 4096
tool slabratetop.d -n "$name" -c "$python $tmpdir/load.py"
size=$(awk '$1 == "filp" { print $4 }' /proc/slabinfo)
claim "1000 open files" awk '$1 == "filp" { n++; bad = $3 < 1000 || $3 > 1010 } END { exit bad || n != 1 }'
claim "with their bytes" awk -v size="$size" '$1 == "filp" { n = $2 == $3 * size } END { exit !n }'
awk_claim "most bytes first" 'NR > 1 && NF { bad = bad || last && $2 > last; last = $2 } END { exit bad }'
tool slabratetop.d -n "no$name" -c "$python $tmpdir/load.py"
awk_claim "-n" 'NR > 1 && NF { bad = 1 } END { exit bad }'
