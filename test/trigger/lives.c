/* SPDX-License-Identifier: Apache-2.0 */
/* lives: processes and threads of each way to begin and to end, and signals of each way to be got.
 *   child 1 exits with 3; child 2 dies of SIGTERM; child 3 of a write to address 16, child 4 of an instruction that
 * none is; child 5 runs /bin/true after two failed attempts; two threads begin and end; the program itself gets SIGUSR1
 * (handled), SIGUSR2 with the value 42 (waited for) and SIGWINCH (ignored). */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void execute_nothing(void) {
#ifdef __aarch64__
  __asm__ volatile("udf #0");
#else
  __asm__ volatile("ud2");
#endif
}

static void *work(void *unused) { return unused; }

static void handle(int sig) { (void)sig; }

static void die(int which) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_DUMPABLE, 0);
  if (which == 1) _exit(3);
  if (which == 2) raise(SIGTERM);
  if (which == 3) *(volatile int *)16 = 1;
  if (which == 4) execute_nothing();
  execl("/nonexistent/one", "one", (char *)0);
  execl("/", "two", (char *)0);
  execl("/bin/true", "true", (char *)0);
  _exit(9);
}

int main(void) {
  for (int which = 1; which <= 5; which++) {
    pid_t child = fork();
    if (child == 0) die(which);
    waitpid(child, 0, 0);
  }
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);

  signal(SIGUSR1, handle);
  raise(SIGUSR1);
  kill(getpid(), SIGWINCH);

  sigset_t waited;
  sigemptyset(&waited);
  sigaddset(&waited, SIGUSR2);
  sigprocmask(SIG_BLOCK, &waited, 0);
  union sigval value = {.sival_int = 42};
  sigqueue(getpid(), SIGUSR2, value);
  siginfo_t info;
  sigtimedwait(&waited, &info, 0);
  return 0;
}
