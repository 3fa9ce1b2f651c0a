#!/bin/bash
# ASSERTION: failioctl.d shows a call that fails, with its entry, and nothing of one that succeeds.
# @@tags: release
. ./common.sh
cat >"$tmpdir/ioctl.py" <<END
import fcntl, os
reader, writer = os.pipe()
open("/proc/self/comm", "w").write("$name")
fcntl.ioctl(reader, 0x541B, b"1234")
try:
    fcntl.ioctl(reader, 0x5413, b"12345678")
except OSError:
    pass
END
example failioctl.d -c "python3 $tmpdir/ioctl.py"
claim "the failing call" grep -qE "^ +[0-9]+ +=> ioctl +$name \([0-9]+\): descriptor [0-9]+, request 0x5413"
claim "its error" grep -qE '^ +[0-9]+ +<= ioctl +result -1, errno 25$'
claim "not the one that succeeds" sh -c "! grep -q '$name.*0x541b'"
