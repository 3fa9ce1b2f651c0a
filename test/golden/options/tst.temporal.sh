#!/bin/bash
# ASSERTION: with temporal, rows of different CPUs come in the order of their times.
# SECTION: Options, 21
cd "$tmpdir" || exit 1
cpus=$(nproc)
[ "$cpus" -gt 1 ] || exec echo "two CPUs are wanted"
cat >pingpong.py <<'PY'
# Two processes on two CPUs wake each other in turn: lseek(12345, n) tells the turn.
import ctypes, os
libc = ctypes.CDLL(None)
cpus = sorted(os.sched_getaffinity(0))
ping, pong = os.pipe(), os.pipe()
child = os.fork() == 0
os.sched_setaffinity(0, {cpus[1] if child else cpus[0]})
for turn in range(200):
    if child:
        os.read(ping[0], 1)
    libc.lseek(12345, 2 * turn + child, 7)
    os.write(pong[1] if child else ping[1], b"x")
    if not child:
        os.read(pong[0], 1)
if child:
    os._exit(0)
os.wait()
PY
"$dtrace" -q -xtemporal -n 'syscall::lseek:entry /progenyof($target) && arg0 == 12345/ { printf("%d %d %d\n", arg1, cpu, timestamp); }' \
	-c 'python3 pingpong.py' >out 2>err
cat err
awk 'NF { rows++; if ($1 != seen++) wrong++; if ($3 < last) early++; last = $3; cpus[$2] }
END { print rows + 0, "rows", wrong + 0, "out of turn", early + 0, "out of time", length(cpus), "CPUs" }' out
