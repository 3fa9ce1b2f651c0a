#!/bin/bash
# ASSERTION: dequeue fires once for each thread that gets a CPU and once for each runnable thread that is moved to another.
# SECTION: Providers, sched
. ../../runner/ranges.sh
cd "$tmpdir" || exit 1
cat >move.py <<'P'
import os
cpus = sorted(os.sched_getaffinity(0))[:2]
busy = os.getpid()
def cpu_of(pid):
    return int(open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[36])
if os.fork() == 0:
    for i in range(40):
        os.sched_setaffinity(busy, {cpus[i % len(cpus)]})
        while cpu_of(busy) != cpus[i % len(cpus)]:
            os.sched_yield()
    os._exit(0)
while os.waitpid(-1, os.WNOHANG)[0] == 0:
    pass
P
"$dtrace" -qn '
sched:::dequeue /args[1]->pr_pid == $target/ { @left = sum(1); }
rawtp:::sched_switch /args[2]->tgid == $target/ { @left = sum(-1); }
rawtp:::sched_migrate_task /args[0]->tgid == $target && args[0]->on_rq != 0/
{ @left = sum(-1); @moves = sum(1); }
END { printa("%@d unexplained\n", @left); printa("moves %@d\n", @moves); }' \
	-c "python3 move.py" >out
grep unexplained out
grep moves out | ranges 'moves 30..'
