#!/bin/bash
# ASSERTION: raise() signals and stop() stops the process that fires, and no other; chill() keeps it busy for as long as said.
# SECTION: Actions and subroutines/Destructive actions
cd "$tmpdir" || exit 1
cat >call.py <<'PY'
import ctypes, os, signal, sys, time
libc = ctypes.CDLL(None)
def call(whence):
    libc.lseek(12345, 0, whence)
signal.signal(signal.SIGUSR1, lambda *_: print("signal", flush=True))
call(7)
child = os.fork()
if child == 0:
    call(8)
    os._exit(0)
_, status = os.waitpid(child, os.WUNTRACED)
print("stopped", os.WIFSTOPPED(status), flush=True)
os.kill(child, signal.SIGCONT)
_, status = os.waitpid(child, 0)
print("exited", os.WEXITSTATUS(status), flush=True)
begin = time.monotonic()
call(9)
print("chilled", time.monotonic() - begin >= 0.05, flush=True)
PY
"$dtrace" -qwn 'syscall::lseek:entry /progenyof($target) && arg0 == 12345/ { self->n = arg2; }
	syscall::lseek:entry /self->n == 7/ { raise(SIGUSR1); }
	syscall::lseek:entry /self->n == 8/ { stop(); }
	syscall::lseek:entry /self->n == 9/ { chill(50000000); }
	syscall::lseek:return /self->n/ { self->n = 0; }' -c 'python3 call.py'
