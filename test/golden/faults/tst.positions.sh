#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: with -v, where several clauses may be meant by a fault's probe, a note behind the first fault of each says where it is: its line in
#   the script, and in a program of the command line its column, too. A clause alone with its probe has no such note.
# SECTION: Faults and the ERROR probe    @@timeout: 60
dtrace=$1
mkdir "$tmpdir/scripts"
cat >"$tmpdir/scripts/three.d" <<'D'
#pragma D option quiet
BEGIN { n = 0; }

BEGIN
{
	trace(1 / n);
}

BEGIN, END { trace(*(int *)(uintptr_t)n); }
tick-50hz /n++ == 2/ { trace(1 / (n - 3)); exit(0); }
tick-50hz { trace(1 / (n - n)); }
tick-50hz /n > 5/ { exit(0); }
END { printf("end\n"); }
D
# messages: those of faults
messages() { grep -E "^(dtrace: error|  note:|end)"; }
echo "== script"
"$dtrace" $dt_flags -vs "$tmpdir/scripts/three.d" 2>&1 | messages | sed -E 's/ID [0-9]+/ID N/; s/\(0x[0-9a-f]+\)/(ADDRESS)/' | awk '!seen[$0]++'
echo "== command line"
"$dtrace" $dt_flags -qv -n 'BEGIN { n = 0; } BEGIN { trace(1 / n); } END { trace(2 / n); }' -n 'BEGIN { trace(3 / n); }
  BEGIN { exit(0); }' 2>&1 | messages
echo "== one"
"$dtrace" $dt_flags -qv -n 'BEGIN { n = 0; trace(1 / n); } ERROR { exit(0); }' 2>&1 | messages
echo "== for scripts that read messages"
"$dtrace" $dt_flags -q -n 'BEGIN { n = 0; } BEGIN { trace(1 / n); } BEGIN { exit(0); }' 2>&1 | messages
