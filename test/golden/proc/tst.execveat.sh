#!/bin/bash
# ASSERTION: proc:::exec has the path that execveat(2) names, where the call succeeds and where it fails.
# SECTION: Providers, proc
cd "$tmpdir" || exit 1
cat >exec.py <<'P'
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
AT_FDCWD, SYS_execveat = -100, 281 if os.uname().machine == "aarch64" else 322
def execveat(path):
    argv = (ctypes.c_char_p * 2)(path, None)
    libc.syscall(SYS_execveat, AT_FDCWD, path, argv, None, 0)
execveat(b"/nonexistent/by-execveat")
try:
    os.execv("/nonexistent/by-execve", ["x"])
except OSError:
    pass
execveat(b"/bin/true")
P
"$dtrace" -q -x temporal -n 'proc:::exec /pid == $target/ { printf("exec %s\n", args[0]); }
proc:::exec-failure /pid == $target/ { printf("failed %d\n", args[0]); }
proc:::exec-success /pid == $target && execname == "true"/ { printf("success %s\n", execname); }' \
	-c '/usr/bin/python3 exec.py'
