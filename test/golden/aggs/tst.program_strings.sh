#!/bin/bash
# ASSERTION: strings of a program are equal keys whatever is in its memory behind their ends, in keys of any length.
# SECTION: Aggregations, 5.1; Strings, 2.3
. "$(dirname "$0")/../../runner/show.sh"
cat >"$tmpdir/names.py" <<'PYTHON'
import ctypes
import os

libc = ctypes.CDLL(None)
for i in range(64):
    for name in (b"ab", b"abcdefg", b"abcdefgh", b"a-longer-name", b"x" * 40):
        buffer = ctypes.create_string_buffer(os.urandom(i % 8) + name + b"\0" + os.urandom(60))
        libc.sethostname(ctypes.c_void_p(ctypes.addressof(buffer) + i % 8), ctypes.c_long(-1))
PYTHON
for size in 16 32 64 256; do
	run -q -x strsize=$size -c "python3 $tmpdir/names.py" -n '
		syscall::sethostname:entry/pid == $target/{ @[copyinstr(arg0)] = count(); @b[copyinstr(arg0, 4), 1] = count(); n[copyinstr(arg0)]++; }
		END { printf("%d\n", n["ab"]); }' 2>&1 | grep -v '^\$\|sethostname\|END'
done
exit 0
