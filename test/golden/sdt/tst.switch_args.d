/*
 * ASSERTION: args[1] of sched_switch is the running task: its pid is the thread's id, its name the execname.
 * SECTION: sdt provider
 */
#pragma D option quiet
int n; int bad;
sdt:sched::sched_switch { n++; }
sdt:sched::sched_switch /args[1]->pid != tid || stringof(args[1]->comm) != execname/ { bad++; }
sdt:sched::sched_switch /n == 100/ { printf("bad %d\n", bad); exit(0); }
