/* SPDX-License-Identifier: Apache-2.0 */
/* families FILE [leave]: a process with descendants of every kind. Each calls member(kind) 100 times, writes a line
   "kind pid" to FILE, and loads libm.so.6 to call cbrt(27) 10 times:
     0 the process itself, at the end        1 a forked child           2 a child of that child
     3 a child by vfork() and exec()         4 a forked child that execs itself
   With `leave` the process ends at once after it has forked a child (kind 5) that waits for 0.3 s. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

volatile double sink;

__attribute__((noinline)) long member(long kind) {
  __asm__ volatile("" : "+r"(kind));
  return kind;
}

static void work(const char *file, long kind) {
  FILE *out = fopen(file, "a");

  for (int i = 0; i < 100; i++) member(kind);
  fprintf(out, "%ld %d\n", kind, (int)getpid());
  fclose(out);
  void *library = dlopen("libm.so.6", RTLD_NOW);
  double (*function)(double) = library ? (double (*)(double))dlsym(library, "cbrt") : 0;
  for (int i = 0; function && i < 10; i++) sink = function(27);
}

int main(int argc, char **argv) {
  const char *file = argc > 1 ? argv[1] : "/dev/null";
  char *again[] = {argv[0], (char *)file, "3", 0};
  pid_t child;

  if (argc > 2 && strcmp(argv[2], "leave") != 0) {
    work(file, atol(argv[2]));
    return 0;
  }
  if (argc > 2) {
    if (fork() != 0) return 0;
    usleep(300000);
    work(file, 5);
    return 0;
  }
  child = fork();
  if (child == 0) {
    pid_t below = fork();
    if (below == 0) {
      work(file, 2);
      _exit(0);
    }
    waitpid(below, 0, 0);
    work(file, 1);
    _exit(0);
  }
  waitpid(child, 0, 0);
  child = vfork();
  if (child == 0) {
    execv("/proc/self/exe", again);
    _exit(1);
  }
  waitpid(child, 0, 0);
  child = fork();
  if (child == 0) {
    again[2] = "4";
    execv("/proc/self/exe", again);
    _exit(1);
  }
  waitpid(child, 0, 0);
  work(file, 0);
  return 0;
}
