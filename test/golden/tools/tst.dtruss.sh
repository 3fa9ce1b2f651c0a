#!/bin/bash
# ASSERTION: dtruss.d shows calls with their arguments decoded, their results and their errors.
# @@timeout: 180      @@tags: long release
. ./common.sh
cat >"$tmpdir/load.py" <<PY
import os
os.chdir("$tmpdir")
fd = os.open("made", os.O_CREAT | os.O_RDWR, 0o600)
os.write(fd, b"some text\n")
os.lseek(fd, 0, 0)
os.read(fd, 100)
os.rename("made", "moved")
try: os.open("missing", 0)
except OSError: pass
os.unlink("moved")
os._exit(7)
PY
echo "$python $tmpdir/load.py; exit 0" >"$tmpdir/script"
tool dtruss.d -c "bash $tmpdir/script"
claim "a path, and a number" grep -qE '^[0-9]+ +[0-9]+ openat\(AT_FDCWD, "made", 0x[0-9a-f]*80042, 384\) = [0-9]+$'
claim "what is written" grep -qE ' write\([0-9]+, "some text\\n", 10\) = 10$'
claim "what is read" grep -qE ' read\([0-9]+, "some text\\n", 100\) = 10$'
claim "two paths" grep -qE ' rename(at)?2?\((AT_FDCWD, )?"made", (AT_FDCWD, )?"moved"(, 0)?\) = 0$'
claim "an error" grep -qE ' openat\(AT_FDCWD, "missing", 0x80000, [0-9]+\) = -1 ENOENT$'
claim "a file that is removed" grep -qE ' unlink(at)?\((AT_FDCWD, )?"moved"(, 0)?\) = 0$'
claim "a program that is started" grep -qE ' execve\("[^"]*python3[^"]*"\) = 0$'
claim "a call that does not return" grep -qE '^[0-9]+ +- exit_group\(7\) = \?$'
tool dtruss.d -x -s openat -c "bash $tmpdir/script"
awk_claim "-x and -s" 'NR > 1 && !/ openat\(.* = -1 E/ { bad = 1 } END { exit bad || NR < 2 }'
