// SPDX-License-Identifier: Apache-2.0
// Children by fork(), vfork(), posix_spawn() and clone() on a stack of their own.
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "piece.h"

extern char **environ;

OUTLINE static long status_of(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

OUTLINE static long forked(long n) {
  const pid_t child = fork();
  if (child == 0) {
    say("the child", mixed(n));
    _exit((int)(n & 63));
  }
  return status_of(child);
}

OUTLINE static long vforked(long n) {
  const pid_t child = vfork();
  if (child == 0) _exit((int)(n & 31));
  return status_of(child);
}

OUTLINE static long vforked_exec(void) {
  const pid_t child = vfork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", "exit 9", (char *)0);
    _exit(127);
  }
  return status_of(child);
}

static int body(void *argument) { return (int)mixed((long)argument) & 15; }

OUTLINE static long cloned(long n, int flags) {
  const size_t size = 64 * 1024;
  char *stack = malloc(size);
  const pid_t child = clone(body, stack + size, flags | SIGCHLD, (void *)n);
  const long status = status_of(child);
  free(stack);
  return status;
}

OUTLINE static long killed(void) {
  const pid_t child = fork();
  if (child == 0) abort();
  return status_of(child);
}

OUTLINE static long spawned(void) {
  char *const words[] = {(char *)"sh", (char *)"-c", (char *)"exit 8", NULL};
  pid_t child;
  if (posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ) != 0) return -1;
  return status_of(child);
}

long children(long n) {
  say("forked", forked(n));
  say("vforked", vforked(n));
  say("vforked, executed", vforked_exec());
  say("cloned", cloned(n, 0));
  say("cloned, shared", cloned(n, CLONE_VM | CLONE_VFORK));
  say("spawned", spawned());
  say("system", system("exit 6") >> 8);
  if (n % 3 == 0) say("killed", killed());
  FILE *pipe = popen("echo 77", "r");
  int value = 0;
  if (pipe != NULL && fscanf(pipe, "%d", &value) == 1) say("pipe", value);
  if (pipe != NULL) pclose(pipe);
  return within(n);
}
