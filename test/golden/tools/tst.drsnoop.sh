#!/bin/bash
# ASSERTION: drsnoop.d shows how many pages a program frees that reads a file larger than the limit of its control group.
# @@timeout: 180      @@tags: long release
. ./common.sh
dd if=/dev/zero of="$tmpdir/blob" bs=1M count=60 oflag=direct status=none # nothing of it is in the page cache
group=$(bash ./drsnoop_group.sh make "$name" $((30 << 20))) || exit 1
trap 'bash ./drsnoop_group.sh remove "$group"' EXIT
cat >"$tmpdir/load.py" <<PY
import os
open("$group/cgroup.procs", "w").write(str(os.getpid()))
open("/proc/self/comm", "w").write("$name")
fd = os.open("$tmpdir/blob", os.O_RDONLY)
while os.read(fd, 131072): pass
# Pages that are read ahead may be freed before they are used; then they are read again.
facts = open("/proc/self/io").read()
open("$tmpdir/io", "w").write(facts)
PY
tool drsnoop.d -n "$name" -c "$python $tmpdir/load.py"
# PID TID COMM SCOPE ORDER PAGES LAT(us)
page=$(getconf PAGESIZE)
claim "as many pages as there are too many, and no more than were read" awk -v name="$name" -v least=$(((30 << 20) / page)) \
  -v most=$(($(awk '/^read_bytes/ { print $2 }' "$tmpdir/io") / page + 500)) '$3 == name && $4 == "cgroup" { n += $6 }
  END { exit n < least * 0.9 || n > most }'
awk_claim "one process, with times" 'NR > 1 && NF { n++; pid[$1]; bad = bad || $3 != name || $1 != $2 || $5 > 10 || $7 > 60000000; sum += $7 }
  END { for (p in pid) m++; exit bad || m != 1 || n < 2 || sum < 1 }'
tool drsnoop.d -n "$name" -m 60000000 -c "$python $tmpdir/load.py"
awk_claim "-m" 'END { exit NR != 1 }'
