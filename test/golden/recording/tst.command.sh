#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: --replay runs programs on a recording, lists its probes and sums it up. Another program may use what was
#   recorded; an expression that was not recorded, and what a replay cannot do, is an error.
# SECTION: Recordings
cd "$tmpdir" || exit 1
"$dtrace" --record whole.rec -qn 'BEGIN { trace(execname); exit(0); } END { n = uid; }' >/dev/null
run() {
  "$dtrace" --replay whole.rec "$@" 2>&1
  echo "status $?"
}
run -qn 'BEGIN { printf("%s\n", execname); exit(3); }'
run -qn 'BEGIN { @[execname] = count(); } END { printf("uid %d", uid); }'
run -qn 'BEGIN { printf("%d\n", timestamp == 0); } tick-1s { trace("never"); }'
run -ln 'dtrace:::'
run --summary | sed -E 's/^(machine|from|to|CPUs): .*/\1/'
run -en 'BEGIN { trace(execname); }'
echo '--- what was not recorded'
run -n 'BEGIN { trace(gid); }'
run -n 'io:::start'
run -n 'BEGIN { trace(`jiffies); }'
echo '--- what a replay does not do'
run -n 'BEGIN { system("date"); }'
run -n BEGIN -c true
run --container=x -n BEGIN
run -Sn BEGIN
run
echo '--- files'
"$dtrace" --replay none.rec -n BEGIN 2>&1
echo text >text
"$dtrace" --replay text -n BEGIN 2>&1
size=$(stat -c %s whole.rec)
head -c $((size - 5)) whole.rec >cut.rec
"$dtrace" --replay cut.rec -qn 'BEGIN { trace(execname); }' 2>&1 | sed -E 's/offset [0-9]+/offset N/g'
