#!/bin/bash
# ASSERTION: fsslower.d shows reads, writes, opens and syncs of files with their file system, bytes and offsets.
# @@timeout: 180      @@tags: long release
. ./common.sh
cat >"$tmpdir/load.py" <<PY
import os
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # rows of one CPU come in their order
comm = open("/proc/self/comm", "w")
comm.write("$name")
comm.flush()
fd = os.open("$tmpdir/blob", os.O_RDWR | os.O_CREAT)
os.write(fd, b"x" * 3000)
os.write(fd, b"y" * 5000)
os.pwrite(fd, b"z" * 100, 1 << 20)
os.fsync(fd)
os.pread(fd, 70, 2048)
os.lseek(fd, 4096, os.SEEK_SET)
os.read(fd, 10)
os.fdatasync(fd)
try: os.pread(fd, 10, -5)
except OSError: pass
try: os.open("$tmpdir/missing", os.O_RDONLY)
except OSError: pass
os.write(os.open("/dev/null", os.O_WRONLY), b"n")
os._exit(0)
PY
fs=$(df --output=fstype "$tmpdir" | tail -1)
load="$python $tmpdir/load.py"
tool fsslower.d -m 0 -n "$name" -c "$load"
awk -v name="$name" -v fs="$fs" '$2 == name && $7 < 100000000 { print $3 == fs ? "FS" : $3, $4, $5, $6, $8 }' "$out" | sed "s,$tmpdir,TMP,"
tool fsslower.d -m 0 -f "$fs" -n "$name" -c "$load"
awk_claim "-f" 'NR > 1 { n++ } END { exit n != 9 }'
tool fsslower.d -m 0 -f nosuchfs -n "$name" -c "$load"
awk_claim "-f: another" 'END { exit NR != 1 }'
tool fsslower.d -m 60000 -n "$name" -c "$load"
awk_claim "-m" 'END { exit NR != 1 }'
