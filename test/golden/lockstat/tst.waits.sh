#!/bin/bash
# ASSERTION: A thread that waits for a pipe's mutex, whose owner sleeps with it, fires adaptive-block once, with the time it
#   waited; one that waits to write to a file fires rw-block, as a writer. sysinfo counts the same waits.
# SECTION: Providers, 14
# @@timeout: 60
for kind in mutex rw; do
	echo "== $kind"
	"$dtrace" -q -n '
	syscall::getsid:entry /pid == $target/ { waiter = tid; called = timestamp; }
	lockstat:::adaptive-block, lockstat:::adaptive-spin, lockstat:::rw-block, lockstat:::rw-spin /tid == waiter && waiter/ {
		lock = arg0;
		printf("%s %d %d %d\n", probename, arg1, timestamp - called, probename == "rw-block" ? arg2 : -1);
	}
	sysinfo:::mutex_adenters, sysinfo:::rw_rdfails, sysinfo:::rw_wrfails /tid == waiter && waiter/ { grown[probename] += arg0; }
	syscall::write:return /tid == waiter && waiter/ { waiter = 0; }
	END { printf("sysinfo %d %d %d, lock %d\n", grown["mutex_adenters"], grown["rw_rdfails"], grown["rw_wrfails"],
	    lock > 0x8000000000000000); }' -c "$triggers/lockwait $kind" |
		awk '
		NF == 0 { next }
		NF == 1 { held = $1; next }
		/^sysinfo/ { print; next }
		{ waits[++n] = $1; time[n] = $2; since[n] = $3; writer[n] = $4 }
		END {
			for (i = 1; i <= n; i++) print waits[i], writer[i], (time[i] >= held ? "held long" : "too short"),
			    (time[i] <= since[i] ? "not longer" : "too long")
		}'
done
