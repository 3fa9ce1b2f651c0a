#!/bin/bash
# ASSERTION: vmstat.d counts the calls, new processes, programs and page faults of a command, and of the system second by second.
# @@timeout: 120      @@tags: long release
. ./common.sh
tool vmstat.d -c "$triggers/syscalls 5000"
awk_claim "vmstat: calls of a command" 'NR == 2 { n++; ok = $1 >= 5000 && $3 == 0 && $4 <= 1 && $5 > 0 && $6 <= $5 } END { exit !(n == 1 && ok) }'
tool vmstat.d -c "sh -c 'for i in 1 2 3; do /bin/true; done; :'"
awk_claim "vmstat: processes and programs" 'NR == 2 { exit !($3 == 3 && $4 >= 3 && $4 <= 4) }'
tool vmstat.d -i 1 -t 3
awk_claim "vmstat -i: rows of numbers" 'NR == 1 { if ($1 != "CALLS") exit 1 } NR > 1 && NF { n++; if (NF != 9 || $1 < 0) bad = 1 } END { exit bad || n < 2 }'
