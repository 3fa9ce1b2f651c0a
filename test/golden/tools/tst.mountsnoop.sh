#!/bin/bash
# ASSERTION: mountsnoop.d shows the calls by which programs mount and unmount, with their arguments, results and mount namespace.
# @@timeout: 180      @@tags: long release
. ./common.sh
mkdir "$tmpdir/at"
cat >"$tmpdir/load.py" <<PY
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
at = b"$tmpdir/at"
libc.unshare(0x20000)                                                    # CLONE_NEWNS
libc.mount(None, b"/", None, 0x4000 | 0x40000, None)                     # MS_REC | MS_PRIVATE
open("/proc/self/comm", "w").write("$name")
print(os.stat("/proc/self/ns/mnt").st_ino, file=open("$tmpdir/ns", "w"))
assert libc.mount(b"ours", at, b"tmpfs", 2 | 8, b"size=1m") == 0         # MS_NOSUID | MS_NOEXEC
assert libc.mount(None, at, None, 32 | 1 | 64, None) == 0                # MS_REMOUNT | MS_RDONLY | MS_MANDLOCK
assert libc.mount(at, at, None, 4096, None) == 0                         # MS_BIND
assert libc.umount2(at, 2) == 0                                          # MNT_DETACH
assert libc.mount(b"none", b"$tmpdir/missing", b"tmpfs", 0, None) == -1
assert libc.mount(1, at, b"tmpfs", 0, None) == -1                        # EFAULT
assert libc.umount2(at, 0) == 0
assert libc.umount2(at, 0) == -1
def call(number, *arguments): return libc.syscall(number, *arguments)
fs = call(430, b"tmpfs", 1)                                              # fsopen
if fs >= 0:
    call(431, fs, 1, b"size", b"2m", 0)                                  # fsconfig
    call(431, fs, 6, None, None, 0)
    mnt = call(432, fs, 0, 0)                                            # fsmount
    call(429, mnt, b"", -100, at, 4)                                     # move_mount
    call(428, -100, at, 1)                                               # open_tree
    call(429, mnt, b"", 99, b"nowhere", 4)
PY
load="$python $tmpdir/load.py"
rows() { # the calls of the load, and their errors
  awk -v name="$name" -v ns="$(cat "$tmpdir/ns")" '$3 == name && $1 == $2 && $4 == ns { print $5 " " substr($0, 55) }' "$out" |
    sed -E "s,$tmpdir,TMP,g; s/0x[0-9a-f]{6,}/ADDRESS/g"
}
tool mountsnoop.d -c "$load"
rows
tool mountsnoop.d -x -n "$name" -c "$load"
echo "-x:"
rows
awk_claim "-x, -n: nothing else" 'NR > 1 && ($3 != name || $5 == "0") { bad = 1 } END { exit bad }'
