#!/bin/bash
# ASSERTION: 64 pages of a file that are written to disk are counted as such, in the program that waits for it; read again one by
#   one, each is a major fault, as the program's own counter says, and a page of a request of its own.
# SECTION: Providers, 16
# @@timeout: 60
cd "$tmpdir" || exit 1
"$dtrace" -q -n '
syscall::getsid:entry /pid == $target/ { run += arg0 == 1; on = arg0 == 1; }
vminfo::: /pid == $target && on/ { grown[run, probename] += arg0; }
END {
	printf("maj_fault %d\n", grown[run, "maj_fault"]);
	printf("pgin %d, pgpgin %d, fspgin %d, anonpgin %d\n", grown[run, "pgin"], grown[run, "pgpgin"], grown[run, "fspgin"],
	    grown[run, "anonpgin"]);
	printf("pgpgout %d, fspgout %d, anonpgout %d, requests %d\n", grown[run, "pgpgout"], grown[run, "fspgout"],
	    grown[run, "anonpgout"], grown[run, "pgout"] >= 1 && grown[run, "pgout"] <= 64);
}' -c "$triggers/counters file ."
