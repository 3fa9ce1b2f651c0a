// SPDX-License-Identifier: Apache-2.0
// Handlers on the stack of the program and on one of their own, which return, jump out, or run other pieces.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "piece.h"

static volatile long seen;
static sigjmp_buf out;

OUTLINE static void count(int number) { seen = seen * 2 + (number == SIGUSR1); }
OUTLINE static void run_more(int number) { seen += within(number); }
OUTLINE static void leave(int number) { siglongjmp(out, number); }
OUTLINE static void detailed(int number, siginfo_t *info, void *context) {
  seen += info->si_pid == getpid() && number == info->si_signo && context != NULL;
}

OUTLINE static void install(int number, void (*handler)(int), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(number, &action, NULL);
}

OUTLINE static long fault(long *where) { return *where + 1; }

long signals(long n) {
  static int depth, on_own;
  const long before = seen;
  char *stack = NULL;
  stack_t old;
  if (depth++ == 0) {
    const size_t size = 256 * 1024;
    stack = malloc(size);
    const stack_t own = {.ss_sp = stack, .ss_size = size};
    sigaltstack(&own, &old);
  }
  seen = 0;
  // A piece that goes to another stack leaves this one in use, which the kernel would not know.
  const int flags = (n & 1) && !on_own ? SA_ONSTACK : 0;
  install(SIGUSR1, count, flags);
  for (int i = 0; i < 3; i++) raise(SIGUSR1);
  say("counted", seen);

  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = detailed;
  action.sa_flags = SA_SIGINFO | flags;
  sigaction(SIGUSR2, &action, NULL);
  kill(getpid(), SIGUSR2);
  say("detailed", seen);

  volatile long *volatile nowhere = (long *)8;
  install(SIGSEGV, leave, flags | SA_NODEFER);
  const int came = sigsetjmp(out, 1);
  if (came == 0) seen += fault((long *)nowhere);
  say("left by", came == SIGSEGV);
  signal(SIGSEGV, SIG_DFL);

  install(SIGUSR1, run_more, flags | SA_NODEFER);
  on_own += flags != 0;
  raise(SIGUSR1);
  on_own -= flags != 0;
  const long result = seen;
  if (--depth == 0) {
    sigaltstack(&old, NULL);
    free(stack);
  }
  seen = before;
  return result;
}
