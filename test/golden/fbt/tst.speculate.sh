#!/bin/bash
# ASSERTION: speculation over the functions under a failing system call: only the call that fails is shown.
# SECTION: Speculative Tracing
# @@timeout: 60
. ../fbt/common.sh
cat >calls.py <<'P'
import fcntl, os, termios
inside, outside = os.pipe()
for request in (termios.FIONREAD, termios.TIOCGWINSZ, termios.FIONREAD):  # the second asks a pipe for a terminal's size
    try:
        fcntl.ioctl(inside, request, b"\0" * 64)
    except OSError:
        pass
P
"$dtrace" -Zq -xnspec=8 -n '
syscall::ioctl:entry /pid == $target && (arg1 == 0x541b || arg1 == 0x5413)/ { self->spec = speculation(); self->request = arg1; }
fbt::do_vfs_ioctl:,fbt::pipe_ioctl: /self->spec/ { speculate(self->spec); printf("%s %s\n", probefunc, probename); }
syscall::ioctl:return /self->spec && errno == 0/ { discard(self->spec); self->spec = 0; }
syscall::ioctl:return /self->spec && errno != 0/ { commit(self->spec); self->failed = errno; self->spec = 0; }
syscall::ioctl:return /self->failed/ { printf("request %x errno %d\n", self->request, self->failed); self->failed = 0; }' \
	-c 'python3 calls.py' 2>err >out
claim "functions of the failing call are shown" grep -q '^pipe_ioctl entry' out
claim "once" test "$(grep -c '^pipe_ioctl entry' out)" = 1
claim "with the error" grep -q '^request 5413 errno 25$' out
claim "and no other call" test "$(grep -c '^request' out)" = 1
