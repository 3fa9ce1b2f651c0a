#!/bin/bash
# ASSERTION: caller and stackdepth are the same at a function's entry and at its return, and stack() shows no frame of what
# makes return probes possible; ipl is 0 in a process and 1 in an interrupt.
# SECTION: fbt; Variables
# @@timeout: 60
. ../fbt/common.sh
cat >call.py <<'P'
import ctypes, os, signal
os.sched_setaffinity(0, {0})  # its timers expire there
ask = ctypes.CDLL(None).sched_get_priority_max
for _ in range(20):
    open("/etc/passwd").read()
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
for _ in range(20):
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    signal.sigwait([signal.SIGALRM])
P
"$dtrace" -qn 'fbt::vfs_read:entry /pid == $target/ { self->caller = caller; self->depth = stackdepth; self->in = 1; levels += ipl; }
fbt::vfs_read:return /self->in/ {
  same_caller += self->caller == caller; same_depth += self->depth == stackdepth; calls++; self->in = 0; levels += ipl; }
fbt::it_real_fn:entry /cpu == 0/ { interrupts++; raised += ipl; }
END { printf("caller %d depth %d ipl %d in interrupts %s\n", calls > 20 && same_caller == calls, same_depth == calls, levels,
  interrupts >= 20 && raised == interrupts ? "1" : strjoin(lltostr(raised), strjoin(" of ", lltostr(interrupts)))); }' -c "/usr/bin/python3 call.py"
"$dtrace" -qn 'fbt::vfs_read:entry /pid == $target/ { @[stack(2)] = count(); }
fbt::vfs_read:return /pid == $target/ { @returned[stack(2)] = count(); }' -c "/usr/bin/python3 call.py" |
  awk '/vfs_read/ { entries++ } /return_to_handler|rethook|trampoline/ { others++ } END { print "of the function", (entries > 0), "others", others + 0 }'
"$dtrace" -qn 'fbt::vfs_read:return /pid == $target/ { @[stack(1)] = count(); calls++; same += stack().depth == stackdepth; }
END { printf("depth %d\n", calls > 20 && same == calls); }' -c "/usr/bin/python3 call.py" |
  awk '/vfs_read/ { own++ } /`/ { all++ } /^depth/ { print } END { print "at the return, of the function", own == 1 && all == 1 }'
