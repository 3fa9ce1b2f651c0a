#!/bin/bash
# ASSERTION: Signals are seen where they are sent, ignored, handled and waited for, with who gets them and what comes with
#   them; faults where they happen, with their kind and address.
# SECTION: Providers, 8
# @@timeout: 60
cd "$tmpdir" || exit 1
"$dtrace" -q -x temporal -n '
BEGIN { family[$target] = 1; }
proc:::create /family[pid]/ { family[args[0]->pr_pid] = 1; }
proc:::signal-send /family[pid] && args[2] != SIGCHLD/ {
	printf("%s sends %d to itself %d\n", execname, args[2], args[1]->pr_pid == pid && args[0]->pr_lwpid == tid);
}
proc:::signal-send /family[pid] && args[2] == SIGCHLD/ { children++; to_parent += args[1]->pr_pid == ppid; }
proc:::signal-discard /family[pid] && args[2] != SIGCHLD/ { printf("%d is ignored by %s\n", args[2], args[0]->pr_name); }
proc:::signal-discard /family[pid] && args[2] == SIGCHLD/ { children++; to_parent += args[1]->pr_pid == ppid; }
proc:::signal-handle /family[pid]/ {
	printf("%d is handled, sender %d, handler %d\n", args[0], args[1]->si_pid == pid, args[2] != NULL);
}
proc:::signal-clear /family[pid]/ { printf("%d was waited for\n", args[0]); }
proc:::fault /family[pid]/ {
	printf("fault %d of signal %d at %d\n", args[0], args[1]->si_signo, args[0] == FLTBOUNDS ? args[1]->si_addr : 0);
}
END { printf("children %d, told to their parents %d\n", children, to_parent); }' -c "$triggers/lives"
echo "status $?"
