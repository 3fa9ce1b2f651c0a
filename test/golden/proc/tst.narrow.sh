#!/bin/bash
# ASSERTION: the probes of proc that are made of system calls fire for 32-bit programs as for others: start, lwp-start, exec,
#   exec-failure, signal-clear; also where one kind of program executes the other.
# SECTION: Providers, 8
# @@timeout: 60
cd "$tmpdir" || exit 1
cat >narrow.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void *nothing(void *none) { return none; }

static void execute(const char *path)
{
	char copy[64], *argv[] = {copy, 0};

	strcpy(copy, path);
	execv(copy, argv);
}

int main(int argc, char **argv)
{
	struct timespec none = {0, 0};
	pthread_t thread;
	sigset_t set;

	if (strcmp(argv[0], "./last") == 0)
		return 0;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, 0);
	raise(SIGUSR1);
	sigtimedwait(&set, 0, &none);
	pthread_create(&thread, 0, nothing, 0);
	pthread_join(thread, 0);
	if (fork() == 0) {
		execute("/no/such/program");
		execute("./wide");
	}
	wait(0);
	return 0;
}
C
cat >wide.c <<'C'
#include <unistd.h>

int main(void)
{
	char path[] = "./last", *argv[] = {path, 0};

	return execv(path, argv);
}
C
cc -m32 -pthread -o narrow narrow.c && cc -o wide wide.c && cp narrow last || exit 1
"$dtrace" -x temporal -qn '
BEGIN { family[$target] = 1; }
proc:::create /family[pid]/ { family[args[0]->pr_pid] = 1; n["create"]++; }
proc:::start /family[pid]/ { n["start"]++; }
proc:::lwp-create /family[pid]/ { n["lwp-create"]++; }
proc:::lwp-start /family[pid]/ { n["lwp-start"]++; }
proc:::lwp-exit /family[pid]/ { n["lwp-exit"]++; }
proc:::exec /family[pid]/ { printf("%s executes %s\n", execname, args[0]); }
proc:::exec-failure /family[pid]/ { printf("exec-failure %d\n", args[0]); }
proc:::exec-success /family[pid]/ { printf("exec-success %s, %d of 4 bytes\n", execname, curpsinfo->pr_dmodel == PR_MODEL_ILP32); }
syscall::execve:return /family[pid] && errno == 0/ { printf("execve returns to %s: %d\n", execname, arg0); }
proc:::signal-clear /family[pid]/ { printf("signal-clear %d\n", args[0]); }
END {
	printf("create %d start %d, lwp-create %d lwp-start %d lwp-exit %d\n", n["create"], n["start"], n["lwp-create"],
	    n["lwp-start"], n["lwp-exit"]);
}' -c ./narrow 2>&1 | grep .
exit 0
