#!/bin/bash
# ASSERTION: a program that assigns, counts up, declares or defines inline a name that only this dtrace has has a variable of
#   its own by that name, in all of its clauses; programs that do not see the built-in one; self-> and this-> are apart.
# SECTION: Variables/Built-in variables
exec 2>&1
"$dtrace" -qn 'BEGIN { elapsed = 5; container = "mine"; pod++; cgroup += 7; cgrouppath["x"] = 3; nspid = 1; nstid = 2; }
	BEGIN { printf("%d %s %d %d %d %d %d\n", elapsed, container, pod, cgroup, cgrouppath["x"], nspid, nstid); exit(0); }'
"$dtrace" -qn 'int elapsed; string pod; int loadavg[string]; inline int uptime = 42; enum { container = 9 };
	BEGIN { printf("%d [%s] %d %d %d\n", elapsed, pod, loadavg["x"], uptime, container); exit(0); }'
"$dtrace" -qn 'BEGIN { errno_name = "none"; memfree = 1; memtotal = memfree + 1; signal_name[9] = "KILL"; }
	BEGIN { printf("%s %d %d %s %d\n", errno_name, memfree, memtotal, signal_name[9], ENOENT); exit(0); }'
"$dtrace" -qn 'BEGIN { execarg[7] = 8; printf("%d\n", execarg[7]); exit(0); }'
"$dtrace" -qn 'BEGIN { self->elapsed = 1; this->pod = 2; printf("%d %d %d\n", self->elapsed, this->pod, elapsed < 10000000000); exit(0); }'
# Used before it is assigned, as a global that begins as 0; the second program of one command keeps its own.
"$dtrace" -qn 'int elapsed; BEGIN { printf("%d\n", elapsed); elapsed = 1; }' -n 'BEGIN { printf("%d\n", ENOENT); exit(0); }'
"$dtrace" -xerrtags -qn 'BEGIN { pid = 1; }'
"$dtrace" -xerrtags -qn 'BEGIN { elapsed = "a"; printf("%d\n", elapsed); }'
exit 0
