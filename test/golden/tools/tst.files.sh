#!/bin/bash
# ASSERTION: statsnoop.d, syncsnoop.d, fileslower.d, filetop.d and rwtop.d show the files, bytes, errors and times of a load.
# @@timeout: 180      @@tags: long release
. ./common.sh
cat >"$tmpdir/load.py" <<PY
import os
os.chdir("$tmpdir")
for _ in range(3): os.path.exists("there")
os.path.exists("missing")
fd = os.open("there", os.O_RDWR | os.O_CREAT)
for _ in range(10): os.write(fd, b"x" * 1000)
os.fsync(fd)
os.fdatasync(fd)
try: os.fsync(999)
except OSError: pass
os.lseek(fd, 0, 0)
while os.read(fd, 4096): pass
os.pread(fd, 500, 0)
r, w = os.pipe()
os.write(w, b"p" * 777)
os.read(r, 1000)
PY
echo >"$tmpdir/there"
load="$python $tmpdir/load.py"

tool statsnoop.d -c "$load"
awk_claim "statsnoop: a file that is there" '$3 ~ /stat/ && $4 == "0" && $5 == "there" { n++ } END { exit n != 3 }'
awk_claim "statsnoop: one that is not" '$3 ~ /stat/ && $4 == "ENOENT" && $5 == "missing" { n++ } END { exit n != 1 }'
tool statsnoop.d -x -c "$load"
awk_claim "statsnoop -x" 'NR > 1 && $4 == "0" { bad = 1 } $5 == "missing" { n++ } END { exit bad || n != 1 }'

tool syncsnoop.d -c "$load"
claim "syncsnoop: fsync" awk -v f="$tmpdir/there" '$3 == "fsync" && $4 > 0 && $5 == "0" && $6 == f { n++ } END { exit n != 1 }'
claim "syncsnoop: fdatasync" awk -v f="$tmpdir/there" '$3 == "fdatasync" && $5 == "0" && $6 == f { n++ } END { exit n != 1 }'
awk_claim "syncsnoop: an error" '$3 == "fsync" && $5 == "EBADF" { n++ } END { exit n != 1 || NR != 4 }'
tool syncsnoop.d -m 600000 -c "$load"
awk_claim "syncsnoop -m" 'END { exit NR != 1 }'

tool fileslower.d -m 0 -c "$load"
claim "fileslower -m 0: ten writes, four reads to the end, one more" awk -v f="$tmpdir/there" '$6 == f { n[$3]++; b[$3] += $4 }
  END { exit n["write"] != 10 || b["write"] != 10000 || n["read"] != 4 || b["read"] != 10000 || n["pread64"] != 1 || b["pread64"] != 500 }'
tool fileslower.d -m 600000 -c "$load"
awk_claim "fileslower: nothing takes so long" 'END { exit NR != 1 }'

tool filetop.d -m 10000 -c "$load"
claim "filetop: the bytes" awk -v f="$tmpdir/there" '$5 == f { b[$3] = $4 } END { exit b["W"] != 10000 || b["R"] != 10500 }'
awk_claim "filetop: the most first" 'NR > 2 && $4 > last { bad = 1 } { last = $4 } END { exit bad }'

tool rwtop.d -m 10000 -c "$load"
awk_claim "rwtop: pipes" '$4 == "pipefs" { b[$3] = $5 } END { exit b["W"] != 777 || b["R"] != 777 }'
awk_claim "rwtop: files" '$3 == "W" && $4 != "pipefs" { b += $5 } END { exit b != 10000 }'
