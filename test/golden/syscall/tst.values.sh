#!/bin/bash
# ASSERTION: arguments at the entry, value and errno at the return of known calls: -1 and the error where a call fails, with
#   the kernel's own number in arg2; typed args[] agree.
# SECTION: Providers, 4
cd "$tmpdir" || exit 1
cat >calls.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static void on_alarm(int number) { (void)number; }
int main(void)
{
	char buffer[16];
	int ends[2];
	sigset_t none;
	struct itimerval soon = { { 0, 0 }, { 0, 10000 } };

	(void)!pipe(ends);
	(void)!write(ends[1], "hello", 5);
	syscall(SYS_read, ends[0], buffer, 16);
	syscall(SYS_read, -7, buffer, 3);
	syscall(SYS_openat, AT_FDCWD, "/no/such/file", O_RDWR, 0600);
	syscall(SYS_lseek, ends[0], 5L << 33, SEEK_SET);
	syscall(SYS_mmap, 0, 0, 1, 2, 3, 4096);
	syscall(5000, 1, 2, 3);
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &soon, 0);
	sigemptyset(&none);
	sigsuspend(&none);
	return 0;
}
C
cc -O1 -o calls calls.c || exit 1
"$dtrace" -qc ./calls -n '
syscall::read:entry, syscall::read:return, syscall::openat:entry, syscall::openat:return, syscall::lseek:entry, syscall::lseek:return,
syscall::mmap:entry, syscall::mmap:return, syscall::rt_sigsuspend:entry, syscall::rt_sigsuspend:return
/pid == $target/ { this->mine = execname == "calls"; }
syscall::read:entry /this->mine && arg2 <= 16/ { printf("read(%d, _, %d) args %d %d\n", (int)arg0, arg2, (int)args[0], args[2]); self->on = 1; }
syscall::openat:entry /this->mine && arg2 == 2/ { printf("openat(%d, _, %d, %o) args %d %d %o\n", arg0, arg2, arg3, args[0], args[2], args[3]); self->on = 1; }
syscall::lseek:entry /this->mine && arg1 == 0xa00000000/ { printf("lseek(_, %d, %d) args %d %d\n", arg1, arg2, args[1], args[2]); self->on = 1; }
syscall::mmap:entry /this->mine && arg5 == 4096 && arg1 == 0/ { printf("mmap(%d, %d, %d, %d, %d, %d)\n", arg0, arg1, arg2, arg3, arg4, arg5); self->on = 1; }
syscall::rt_sigsuspend:entry /this->mine/ { printf("%s:%s:%s:%s\n", probeprov, probemod, probefunc, probename); self->on = 1; }
syscall:::return /self->on/ { printf("%s %d %d %d, errno %d\n", probefunc, arg0, arg1, arg2, errno); self->on = 0; }'
