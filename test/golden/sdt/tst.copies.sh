#!/bin/bash
# ASSERTION: Probes of many tracepoints, whose clauses ask for no types, fire for the same events as probes with a program of their own,
#   under their own names, and with the event's arguments.
# SECTION: sdt provider
cat > "$tmpdir/calls" <<-'END'
	for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done
	kill -WINCH $$
END
ulimit -Sn 256 # open files; each copy needs two
$dtrace -qn '
sdt:::sched_process_*, sdt:::task_*, sdt:::signal_* /pid == $target || ppid == $target/
{
	@names[strjoin(probeprov, ":"), probename] = count();
	@by[probename == "sched_process_fork" ? "fork" : "another"] = sum(probename == "sched_process_fork");
}
rawtp:::task_*, rawtp:::cgroup_* /pid == $target/
{
	@raw[probename] = sum(arg0 != 0);
}
rawtp:::task_*, rawtp:::cgroup_* /pid == $target && probename == "task_newtask"/
{
	@children = sum(((struct task_struct *)arg0)->real_parent->tgid == $target);
}
rawtp:::sched_process_fork /args[0]->tgid == $target/
{
	@own = count();
}
rawtp:::signal_generate /pid == $target && arg0 == 28/
{
	@signal = count();
}
END
{
	printa("%s%s %@d\n", @names);
	printa("%s %@d\n", @by);
	printa("own %@d\n", @own);
	printa("raw %s %@d\n", @raw);
	printa("children %@d\n", @children);
	printa("WINCH %@d\n", @signal);
}' -c "bash $tmpdir/calls" | grep -E '_(fork|exec) |task_newtask|fork |own|children|WINCH'
$dtrace -qn 'sdt:::, rawtp::: { @ = count(); } BEGIN { printf("all tracepoints\n"); exit(0); }'
