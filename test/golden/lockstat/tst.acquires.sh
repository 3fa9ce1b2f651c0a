#!/bin/bash
# ASSERTION: Where functions can be probed, lockstat reports locks that are free. A thread that writes 50 times to a pipe takes and
#   releases the pipe's mutex 50 times. One that writes 50 times to a file does so with the file's lock, as a writer; each getdents64()
#   takes the folder's lock as a reader; each munmap() downgrades a writer to a reader. A signal ends the wait for a terminal's
#   mutex with EINTR.
# SECTION: Providers, 14
# @@timeout: 120
"$dtrace" -lv -P lockstat | awk '
	/^ *[0-9]/ { name = $NF; inside = 0; types = "" }
	/Argument Types/ { inside = 1; next }
	/args\[/ && inside { sub(/^[ \t]*args\[[0-9]\]: /, ""); types = types (types == "" ? "" : ", ") $0; next }
	/^$/ && inside { if (name ~ /acquire|release|downgrade/) print name " (" types ")"; inside = 0 }'
cd "$tmpdir" || exit 1
locks() { # PROBES CONDITION COMMAND: how many locks were taken and released 50 times
	"$dtrace" -q -n '
	syscall::write:entry /execname == "dd" && arg0 == 1/ { self->in = 1; }
	syscall::write:return { self->in = 0; }
	lockstat:::'"$1"'-acquire /self->in && '"$2"'/ { @taken[arg0] = count(); }
	lockstat:::'"$1"'-release /self->in && '"$2"'/ { @given[arg0] = count(); }
	END { printa("%x %@d %@d\n", @taken, @given); }' -c "bash -c '$3'" | awk '$2 == 50 && $3 == 50 { n++ } END { print n + 0 }'
}
echo "mutex: $(locks adaptive 1 'dd if=/dev/zero bs=1 count=50 status=none | cat >/dev/null')"
echo "writer: $(locks rw 'arg1 == 0' 'dd if=/dev/zero of=file bs=1 count=50 status=none')"
mkdir folder
echo "reader: $("$dtrace" -q -n '
	syscall::getdents64:entry /pid == $target/ { calls++; self->in = 1; }
	syscall::getdents64:return { self->in = 0; }
	lockstat:::rw-acquire /self->in && arg1 == 1/ { @taken[arg0] = count(); }
	lockstat:::rw-release /self->in && arg1 == 1/ { @given[arg0] = count(); }
	END { printf("%d\n", calls); printa("%x %@d %@d\n", @taken, @given); }' -c 'ls folder' |
	awk 'NF == 1 { calls = $1; next } $2 == calls && $3 == calls { n++ } END { print (calls > 0 && n > 0) }')"
echo "downgrades: $("$dtrace" -q -n '
	syscall::munmap:entry /progenyof($target)/ { calls++; self->in = 1; }
	syscall::munmap:return { self->in = 0; }
	lockstat:::rw-downgrade /self->in/ { downgrades++; }
	END { printf("%d of %d\n", downgrades, calls); }' -c 'sh -c "ls folder; ls folder"' | grep . | awk '$1 > 0 && $1 == $3 { $0 = 1 } 1')"
# The first writer fills the terminal and sleeps with its mutex; a signal ends the wait of the second one.
cat >writers.py <<'P'
import os, pty, signal, time
terminal = pty.openpty()[1]
def writer(text, seconds):
    child = os.fork()
    if child == 0:
        signal.alarm(seconds)
        os.write(terminal, text)
        os._exit(0)
    return child
first = writer(b"x" * 1000000, 0)
time.sleep(1)
os.waitpid(writer(b"y", 2), 0)
os.kill(first, signal.SIGKILL)
P
"$dtrace" -q -n 'lockstat:::adaptive-acquire-error /progenyof($target)/ { printf("error: %d\n", arg1); }' -c 'python3 -S writers.py' | grep .
