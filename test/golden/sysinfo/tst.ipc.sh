#!/bin/bash
# ASSERTION: Messages and semaphores of System V count once for each call of the target.
# SECTION: Providers, 17
# @@timeout: 60
"$dtrace" -q -n '
sysinfo:::msg, sysinfo:::sema /pid == $target/ { @[probename] = sum(arg0); }
END { printa("%s %@d\n", @); }' -c "perl $PWD/ipc.pl" | sort
