#!/bin/bash
# ASSERTION: errinfo.d counts the failures of each call by the error's name.
# @@timeout: 180      @@tags: long release
. ./common.sh
cat >"$tmpdir/load.py" <<'PY'
import os, sys
full = sys.argv[1]  # a folder that is not empty
for i in range(20):
    try: os.rmdir("/nonexistent/x")
    except OSError: pass
for i in range(7):
    try: os.close(999)
    except OSError: pass
for i in range(3):
    try: os.rmdir(full)
    except OSError: pass
PY
tool errinfo.d -c "$python $tmpdir/load.py $tmpdir"
awk_claim "rmdir, by error" '$2 ~ /^(rmdir|unlinkat)$/ { n[$3] = $4 } END { exit n["ENOENT"] != 20 || n["ENOTEMPTY"] != 3 }'
awk_claim "close" '$2 == "close" && $3 == "EBADF" && $4 == 7 { n++ } END { exit n != 1 }'
