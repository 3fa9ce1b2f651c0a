#!/bin/bash
# ASSERTION: killsnoop.d shows signals with their names, targets and errors; threadsnoop.d new threads and processes.
# @@timeout: 180      @@tags: long release
. ./common.sh
cat >"$tmpdir/load.py" <<'PY'
import os, signal, threading
signal.signal(signal.SIGUSR2, lambda *_: None)
for _ in range(3): os.kill(os.getpid(), signal.SIGUSR2)
os.kill(os.getpid(), 0)
try: os.kill(999999999, signal.SIGKILL)
except OSError: pass
signal.pthread_kill(threading.get_ident(), signal.SIGUSR2)
for _ in range(5):
    thread = threading.Thread(target=lambda: None)
    thread.start()
    thread.join()
for _ in range(2):
    if os.fork() == 0: os._exit(0)
    os.wait()
PY
load="$python $tmpdir/load.py"

tool killsnoop.d -c "$load"
awk_claim "killsnoop: to itself" '$3 == "SIGUSR2" && $4 == $1 && $5 == "0" { n++ } END { exit n != 4 }'
awk_claim "killsnoop: a test" '$3 == "0" && $4 == $1 && $5 == "0" { n++ } END { exit n != 1 }'
awk_claim "killsnoop: an error" '$3 == "SIGKILL" && $4 == 999999999 && $5 == "ESRCH" { n++ } END { exit n != 1 }'
tool killsnoop.d -x -s 9 -c "$load"
awk_claim "killsnoop -x -s" '$3 == "SIGKILL" { n++ } END { exit n != 1 || NR != 2 }'

tool threadsnoop.d -c "$load"
awk_claim "threadsnoop: five threads" '$5 == "thread" && $4 > $1 && !seen[$4]++ { n++ } END { exit n != 5 || NR != 6 }'
tool threadsnoop.d -P -c "$load"
awk_claim "threadsnoop -P: and two processes" '{ n[$5]++ } END { exit n["thread"] != 5 || n["process"] != 2 }'
