#!/bin/bash
# ASSERTION: Each process and thread of a program of known behaviour begins and ends once, in every probe of proc that says
#   so, with its own arguments.
# SECTION: Providers, 8
# @@timeout: 60
cd "$tmpdir" || exit 1
"$dtrace" -q -n '
BEGIN { family[$target] = 1; }
proc:::create /family[pid]/ {
	family[args[0]->pr_pid] = 1;
	n["create"]++;
	ppid_right += args[0]->pr_ppid == pid;
	raw_right += ((struct task_struct *)arg0)->pid == args[0]->pr_pid;
}
proc:::start /family[pid]/ { n["start"]++; started_here += ppid == $target; }
proc:::lwp-create /family[pid]/ {
	n["lwp-create"]++;
	threads += args[0]->pr_lwpid != args[1]->pr_pid && args[1]->pr_pid == $target;
}
proc:::lwp-start /family[pid]/ { n["lwp-start"]++; }
proc:::lwp-exit /family[pid]/ { n["lwp-exit"]++; }
proc:::exit /family[pid]/ { n["exit"]++; why[args[0]]++; last_thread += tid == pid; }
proc:::exec /family[pid]/ { n["exec"]++; paths[n["exec"]] = args[0]; before = execname; }
proc:::exec-failure /family[pid]/ { n["exec-failure"]++; errors[n["exec-failure"]] = args[0]; }
proc:::exec-success /family[pid]/ { n["exec-success"]++; after = execname; program = curpsinfo->pr_psargs; }
END {
	printf("create %d start %d exit %d\n", n["create"], n["start"], n["exit"]);
	printf("lwp-create %d lwp-start %d lwp-exit %d\n", n["lwp-create"], n["lwp-start"], n["lwp-exit"]);
	printf("parents %d %d, raw arguments %d, threads %d, last threads %d\n", ppid_right, started_here, raw_right,
	    threads, last_thread);
	printf("exited %d killed %d dumped %d\n", why[CLD_EXITED], why[CLD_KILLED], why[CLD_DUMPED]);
	printf("%s %s %s\n", paths[1], paths[2], paths[3]);
	printf("errors %d %d, then %s became %s of %s\n", errors[1], errors[2], before, after, program);
}' -c "$triggers/lives"
echo "status $?"
