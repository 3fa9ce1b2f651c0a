#!/bin/bash
# ASSERTION: execsnoop.d shows programs with their arguments and parents, and with -x those that cannot be run.
# @@timeout: 180      @@tags: long release
. ./common.sh
cat=$(program cat)
: >"$tmpdir/empty"
chmod +x "$tmpdir/empty"
printf 'garbage\1' >"$tmpdir/garbage"
chmod +x "$tmpdir/garbage"
cat >"$tmpdir/fail.py" <<PY
import os
for path in "garbage", "missing":
    try: os.execv("$tmpdir/" + path, [path])
    except OSError: pass
PY
cat >"$tmpdir/script" <<SCRIPT
$cat $tmpdir/empty /dev/null
$cat $tmpdir/empty
$python $tmpdir/fail.py
exit 0
SCRIPT
bash "$tmpdir/script" # python's start-up files are there now
tool execsnoop.d -c "bash $tmpdir/script"
awk_claim "two programs that were run" '$4 == name && $5 == "0" { n++ } END { exit n != 2 }'
claim "with their arguments" grep -qE " $cat $tmpdir/empty /dev/null\$"
awk_claim "by the same parent" '$4 == name { parent[$2] } END { for (p in parent) n++; exit n != 1 }'
awk_claim "none that failed" '$5 == "0" || NR == 1 { n++ } END { exit n != NR }'
tool execsnoop.d -x -c "bash $tmpdir/script"
awk_claim "-x: no program" '$5 == "ENOEXEC" && $6 ~ /\/garbage$/ { n++ } END { exit n != 1 }'
awk_claim "-x: no file" '$5 == "ENOENT" && $6 ~ /\/missing$/ { n++ } END { exit n != 1 }'
