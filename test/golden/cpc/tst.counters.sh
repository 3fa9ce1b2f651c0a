#!/bin/bash
# ASSERTION: cpc counts the kernel's own events, each or every so many: page faults of a program as its own counter says, in the mode
#   that is asked for, with where it was. A name of no counter, and one that this machine lacks, are refused with the reason.
# SECTION: Providers, 19
# @@timeout: 60
. ../../runner/ranges.sh
"$dtrace" -q -n '
BEGIN { seen[0] = 0; before[0] = 0; }
syscall::getsid:entry /pid == $target/ { run += arg0 == 1; on = arg0 == 1; }
cpc:::page_faults-all-1 /pid == $target && on/ { all[run]++; user_pc[run] += arg1 != 0 && arg0 == 0; }
cpc:::page-faults-user-1 /pid == $target && on/ { user[run]++; }
cpc:::page_faults-kernel-1 /pid == $target && on/ { kernel[run]++; }
/* Every 20th of a CPU: the two count the same, and which is first does not matter. A CPU that tracing leaves between them has one that differs. */
cpc:::page_faults-all-1 { seen[cpu]++; }
cpc:::page_faults-all-20 {
	this->since = seen[cpu] - before[cpu];
	regular += before[cpu] != 0 && this->since >= 19 && this->since <= 21;
	irregular += before[cpu] != 0 && (this->since < 19 || this->since > 21);
	before[cpu] = seen[cpu];
}
END {
	printf("all %d, user %d, kernel %d, at an address %d\n", all[run], user[run], kernel[run], user_pc[run]);
	printf("every 20th %d, others of a hundred %d\n", regular, regular ? irregular * 100 / (regular + irregular) : 100);
}' -c "$triggers/counters faults" | ranges 'every 20th 20..' 'others of a hundred 0..20'
"$dtrace" -l -P cpc | grep -o 'page_faults-all-.*'
# Clocks fire while the program runs, and tell where.
"$dtrace" -q -n '
cpc:::cpu_clock-user-1000000 /pid == $target/ { cpu_clock += arg0 == 0 && arg1 != 0; elsewhere += arg0 != 0; }
cpc:::task-clock-user-1000000 /pid == $target/ { task_clock += arg0 == 0 && arg1 != 0; elsewhere += arg0 != 0; }
END { printf("cpu-clock %d, task-clock %d, in the kernel %d\n", cpu_clock, task_clock, elsewhere); }' -c "$triggers/spin 1" |
	ranges 'cpu-clock 5..' 'task-clock 5..'
for name in page_faults-some-10 nothing-all-10000 cycles-user-100 cpu_clock-all-9999; do
	"$dtrace" -n "cpc:::$name" 2>&1 | tail -n 1
done
