#!/bin/bash
# ASSERTION: a few system calls are probed at their own functions: what the probes show is what the tracepoint shows, of 64-bit
#   and of 32-bit code, with counts, arguments, results and errors; each return of calls that wait at the same time is seen. A call
#   without a function of its own, or one too many, leaves all to the tracepoint. -v says which it is, option syscalls decides.
# SECTION: Providers, 4
# @@timeout: 300
cd "$tmpdir" || exit 1
cat >calls.c <<'C'
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];

static void *wait_for_byte(void *unused)
{
	char byte;

	(void)unused;
	syscall(SYS_read, ends[0], &byte, 1);
	return NULL;
}

int main(int argc, char **argv)
{
	enum { kThreads = 64 };
	pthread_t threads[kThreads];
	char *none[] = {NULL}, missing[] = "/no/such";

	for (int i = 0; i < 1000; i++) syscall(SYS_lseek, -1, i, 1);
	for (int i = 0; i < 10; i++) syscall(SYS_mkdirat, -100, missing, 0700 + i);
	syscall(SYS_execve, missing, none, none);
	if (argc > 1) { /* all of them wait in read() at the same time */
		if (pipe(ends) != 0) return 1;
		for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, wait_for_byte, NULL);
		usleep(300000);
		for (int i = 0; i < kThreads; i++) syscall(SYS_write, ends[1], "", 1);
		for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
	}
	if (fork() == 0) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	}
	return wait(NULL) < 0;
}
C
cc -pthread -o wide calls.c || exit 1
cc -m32 -pthread -o narrow calls.c 2>/dev/null && ./narrow 2>/dev/null || cp wide narrow
cat >calls.d <<'D'
#pragma D option quiet
syscall::lseek:entry /pid == $target && arg0 == -1/ { @n["lseek", arg2] = count(); @s["lseek"] = sum(arg1); }
syscall::lseek:return /pid == $target && errno == EBADF/ { @n["lseek failed", arg0] = count(); }
syscall::mkdirat:entry /pid == $target/ { @n[copyinstr(arg1), arg2] = count(); }
syscall::mkdirat:return /pid == $target/ { @n["mkdir", errno] = count(); @s["mkdir"] = sum(arg2); }
syscall::execve:entry /pid == $target/ { @n["execve", 0] = count(); }
syscall::execve:return /pid == $target || ppid == $target/ { @n[strjoin("execve in ", execname), errno] = count(); }
syscall::read:return /pid == $target && arg0 == 1/ { @n["read", arg0] = count(); }
syscall::exit_group:entry /pid == $target || ppid == $target/ { @n["exit_group", arg0] = count(); }
D
for program in wide narrow; do
	for where in tracepoint function; do
		"$dtrace" -x syscalls=$where -xledger=text -s calls.d -c "./$program waits" >$program.$where 2>&1
	done
	echo "== $program"
	cmp $program.tracepoint $program.function
	grep . $program.function
done
where() { "$dtrace" -v -q "$@" -n 'BEGIN { exit(0); }' 2>&1 | sed -n '/system calls probed/ { s/.*system calls//; s/ by .*/ at functions/; p; }' | sort -u; }
echo "== which"
where -n 'syscall::lseek:entry,syscall::execve:entry,syscall::exit_group:entry {}'
where -x syscalls=function -n 'syscall::lseek:,syscall::execve:,syscall::exit_group:entry {}'
where -n 'syscall::lseek: {}'
where -x syscalls=tracepoint -n 'syscall::lseek:entry {}'
for probe in getppid:entry clone:return fcntl:entry; do
	where -n 'syscall::lseek:entry {}' -n "syscall::$probe {}"
	"$dtrace" -x syscalls=function -n "syscall::$probe {}" 2>&1
done
where -n 'syscall::lseek:entry {}' -n 'sysinfo:::sysread {}'
where -n 'syscall::s*:entry {}'
echo "== none is left"
"$dtrace" -q -x syscalls=function -n 'BEGIN { trace("begins\n"); } syscall::lseek:,syscall::mkdirat: {}' >begins &
tracer=$!
while ! grep -q begins begins; do sleep 0.1; done
sleep 1
kill -KILL $tracer
wait $tracer 2>/dev/null
for ((i = 0; i < 100; i++)); do
	grep -qE 'sys_(lseek|mkdirat)' /sys/kernel/tracing/enabled_functions 2>/dev/null || break
	sleep 0.2
done
grep -E 'sys_(lseek|mkdirat)' /sys/kernel/tracing/enabled_functions
./wide && echo well
exit 0
