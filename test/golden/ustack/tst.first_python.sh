#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: the first process with Python that is met has its functions from its first stack on.
cat >"$tmpdir/deep.py" <<'P'
import os
def inner(n):
    return n and inner(n - 1) or os.isatty(7777)
def outer():
    inner(3)
outer()
P
"$dtrace" $dt_flags -q -n 'syscall::ioctl:entry /pid == $target && arg0 == 7777/ { ustack(); exit(0); }' \
  -c "${DTRACE_PYTHON:-/usr/bin/python3} $tmpdir/deep.py" 2>&1 |
  grep -oE '(inner|outer|<module>) \[python\]|deep.py:[0-9]*'
