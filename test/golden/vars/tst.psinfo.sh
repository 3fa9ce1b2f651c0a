#!/bin/bash
# ASSERTION: curpsinfo and curlwpsinfo say of a process what /proc says: ids, arguments, sizes, times, terminal, state.
# SECTION: Variables/Built-in variables
cd "$tmpdir" || exit 1
cat >psinfo.d <<'D'
#pragma D option quiet
#pragma D option destructive
#pragma D option strsize=512
BEGIN
{
	printf("%d %d %d %d\n", curpsinfo->pr_pid, curpsinfo->pr_ppid, curpsinfo->pr_pgid, curpsinfo->pr_sid);
	printf("%d %d %d %d\n", curpsinfo->pr_uid, curpsinfo->pr_euid, curpsinfo->pr_gid, curpsinfo->pr_egid);
	printf("%s|%s|%d\n", curpsinfo->pr_fname, curpsinfo->pr_psargs, curpsinfo->pr_psargs == execargs);
	printf("%d %d\n", curpsinfo->pr_size, curpsinfo->pr_rssize);
	printf("%d.%09d\n", curpsinfo->pr_start.tv_sec, curpsinfo->pr_start.tv_nsec);
	printf("%d %d\n", curlwpsinfo->pr_time.tv_sec * 1000000000 + curlwpsinfo->pr_time.tv_nsec,
	    curpsinfo->pr_ctime.tv_sec);
	printf("%d %d %c %d %s\n", (int)curpsinfo->pr_ttydev, curlwpsinfo->pr_lwpid, curlwpsinfo->pr_sname,
	    curlwpsinfo->pr_pri, curlwpsinfo->pr_clname);
	system("cat /proc/%d/stat; tr '\\0' ' ' </proc/%d/cmdline; echo; grep -E '^(VmSize|VmRSS)' /proc/%d/status",
	    pid, pid, pid);
	exit(0);
}
D
"$dtrace" -s psinfo.d -xargref one 'two  words' '' last >out 2>err </dev/null || cat err
python3 - <<'PY'
import os
lines = open("out", "rb").read().decode().split("\n")
ours, stat, args, sizes = lines[:7], lines[7], lines[8], lines[9:11]
name, rest = stat[stat.index("(") + 1:stat.rindex(")")], stat[stat.rindex(")") + 2:].split()
field = lambda n: int(rest[n - 3])  # numbered as in proc(5)
number = lambda text: int(text.split()[1])
print("ids", ours[0].split() == [stat.split()[0], rest[1], rest[2], rest[3]])
print("users", ours[1] == "0 0 0 0")
fname, psargs, same = ours[2].split("|")
print("name", fname == name, "arguments", psargs.rstrip() == args.rstrip(), same, psargs.split()[-3:])
size, resident = map(int, ours[3].split())
print("size", abs(size - number(sizes[0])) < 65536, "resident", 0.5 < resident / number(sizes[1]) < 2)
boot = next(int(line.split()[1]) for line in open("/proc/stat") if line.startswith("btime"))
started = boot + field(22) / os.sysconf("SC_CLK_TCK")
print("start", abs(float(ours[4]) - started) < 2)
ran = (field(14) + field(15)) / os.sysconf("SC_CLK_TCK")
print("time", 0 < int(ours[5].split()[0]) / 1e9 < ran + 1)
tty, lwp, state, priority, kind = ours[6].split()
want_tty = field(7) & 0xff | field(7) >> 12 & 0xfff00 | (field(7) >> 8 & 0xfff) << 20 if field(7) else -1
print("terminal", int(tty) == want_tty, "thread", lwp == stat.split()[0], state, "priority", int(priority) == field(18) + 100,
      kind)
PY
# A process that makes and ends none meanwhile, unlike the tracer.
cat >threads.py <<'PY'
import ctypes, threading
end = threading.Event()
others = [threading.Thread(target=end.wait) for _ in range(3)]
for each in others:
    each.start()
ctypes.CDLL(None).sched_get_priority_max(0)
end.set()
PY
"$dtrace" -qn 'syscall::sched_get_priority_max:entry /pid == $target/ { printf("threads %d\n", curpsinfo->pr_nlwp); }' \
	-c '/usr/bin/python3 threads.py' | grep .
