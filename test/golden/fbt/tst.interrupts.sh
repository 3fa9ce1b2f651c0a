#!/bin/bash
# ASSERTION: a function that runs in timer interrupts has one entry and one return for each timer that expires.
# SECTION: fbt
# @@timeout: 60
. ../fbt/common.sh
cat >expire.py <<'P'
import signal
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
for _ in range(50):
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    signal.sigwait([signal.SIGALRM])
P
# The timer of a process is part of what its threads share.
"$dtrace" -qn 'fbt::it_real_fn:entry
/((struct signal_struct *)((uintptr_t)args[0] - offsetof(struct signal_struct, real_timer)))->pids[1]->numbers[0].nr == $target/
{ @entries = count(); on[cpu] = 1; }
fbt::it_real_fn:return /on[cpu]/ { @returns = count(); @values[args[1]] = count(); on[cpu] = 0; }
END { printa("entries %@d\n", @entries); printa("returns %@d\n", @returns); printa("%d %@d\n", @values); }' \
	-xledger=text -c "/usr/bin/python3 expire.py" 2>err >out
cat out err | grep .
