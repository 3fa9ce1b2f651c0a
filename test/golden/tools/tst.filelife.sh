#!/bin/bash
# ASSERTION: filelife.d shows the files that a program creates and deletes, with their age; none that have another name, or were there.
# @@timeout: 180      @@tags: long release
. ./common.sh
: >"$tmpdir/old"
cat >"$tmpdir/load.py" <<PY
import os, time
os.chdir("$tmpdir")
open("/proc/self/comm", "w").write("$name")
def made(name): os.close(os.open(name, os.O_CREAT | os.O_WRONLY))
made("short")
made("twice")
os.link("twice", "again")
made("kept")
made("renamed")
time.sleep(0.3)
os.unlink("short")
os.unlink("twice")
os.rename("renamed", "other")
os.unlink("other")
os.close(os.open("old", os.O_CREAT | os.O_WRONLY))
os.unlink("old")
made("short")
os.unlink("short")
PY
: >"$tmpdir/old"
tool filelife.d -c "$python $tmpdir/load.py"
awk -v name="$name" '$2 == name { print $4, ($3 >= 60 ? "old" : $3 >= 0.3 ? "later" : "at once") }' "$out" >"$tmpdir/rows"
cat "$tmpdir/rows"
rm -f "$tmpdir/again" "$tmpdir/kept"
: >"$tmpdir/old"
tool filelife.d -n "no$name" -c "$python $tmpdir/load.py"
awk_claim "-n" 'END { exit NR != 1 }'
