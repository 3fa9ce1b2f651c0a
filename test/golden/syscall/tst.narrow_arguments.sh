#!/bin/bash
# ASSERTION: arg0, arg1, ... of a system call are as wide and as signed as the call's parameters: a descriptor of -1 and
#   AT_FDCWD are negative, alone and among all calls.
# SECTION: Variables/Built-in Variables
cd "$tmpdir" || exit 1
cat > calls.py <<'PY'
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
# As a register may have them: the upper half is nobody's.
libc.syscall.argtypes = [ctypes.c_long] * 7
garbage = 0x5555555500000000
number = ({"openat": 56, "kill": 129, "close": 57, "mmap": 222, "fchmodat": 53, "fchown": 55} if os.uname().machine == "aarch64" else
          {"openat": 257, "kill": 62, "close": 3, "mmap": 9, "fchmodat": 268, "fchown": 93})
libc.syscall(number["openat"], 0x1_ffffff9c, 0, 0, 0, 0, 0)              # openat(AT_FDCWD, NULL)
libc.syscall(number["kill"], garbage | 0xfffffffe, garbage | 77, 0, 0, 0, 0)  # kill(-2, 77): no such signal
libc.syscall(number["close"], 0xffffffff, 0, 0, 0, 0, 0)  # close(-1)
libc.syscall(number["mmap"], 0, 0, 0, 0, 0xffffffff, 0)  # mmap(..., -1, 0) of no length
libc.syscall(number["fchmodat"], 0xffffffff, 0, garbage | 0o644, 0, 0, 0)  # fchmodat(-1, NULL, 0644)
libc.syscall(number["fchown"], 0xffffffff, garbage | 0xffffffff, 5, 0, 0, 0)    # fchown(-1, -1, 5)
PY
"$dtrace" -qn 'syscall::openat:entry /pid == $target && arg0 == AT_FDCWD && arg1 == 0/ { printf("openat %d\n", arg0); }
syscall::kill:entry /pid == $target/ { printf("kill %d %d\n", arg0, arg1); }
syscall::close:entry /pid == $target && arg0 == -1/ { printf("close %d\n", arg0); }
syscall::mmap:entry /pid == $target && arg4 == -1 && arg1 == 0/ { printf("mmap %d\n", arg4); }
syscall::fchmodat:entry /pid == $target && arg1 == 0/ { printf("fchmodat %d %o\n", arg0, arg2); }
syscall::fchown:entry /pid == $target/ { printf("fchown %d %d %d\n", arg0, arg1, arg2); }' \
  -c "python3 calls.py" 2>&1 | grep -v '^$'
echo "-- among all calls"
"$dtrace" -qn 'syscall:::entry /pid == $target && probefunc == "kill"/ { printf("kill %d %d\n", arg0, arg1); }
syscall:::entry /pid == $target && probefunc == "fchown"/ { printf("fchown %d %d %d\n", arg0, arg1, arg2); }' \
  -c "python3 calls.py" 2>&1 | grep -v '^$'
