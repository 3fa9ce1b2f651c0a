#!/bin/bash
# ASSERTION: 3 forks, 2 vforks and a posix_spawn (which is one), 4 threads, and an exec in the child and one that fails are
#   counted as such.
# SECTION: Providers, 17
# @@timeout: 60
"$dtrace" -q -n '
syscall::getsid:entry /pid == $target/ { run += arg0 == 1; on = arg0 == 1; }
sysinfo:::sysfork, sysinfo:::sysvfork, sysinfo:::nthreads /pid == $target && on/ { grown[run, probename] += arg0; }
sysinfo:::sysexec /(pid == $target || ppid == $target) && on/ { grown[run, probename] += arg0; }
END {
	printf("sysfork %d, sysvfork %d, nthreads %d, sysexec %d\n", grown[run, "sysfork"], grown[run, "sysvfork"],
	    grown[run, "nthreads"], grown[run, "sysexec"]);
}' -c "$triggers/counters tasks"
