/* SPDX-License-Identifier: Apache-2.0 */
/* forks N: a child calls shared(i) 1000 times, then four threads of the parent call it N times each. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static long count = 1;

__attribute__((noinline)) long shared(long i) {
  __asm__ volatile("" : "+r"(i));
  return i;
}

static void *work(void *unused) {
  (void)unused;
  for (long i = 0; i < count; i++) shared(i);
  return 0;
}

int main(int argc, char **argv) {
  pthread_t threads[4];

  if (argc > 1) count = atol(argv[1]);
  pid_t child = fork();
  if (child == 0) {
    for (long i = 0; i < 1000; i++) shared(i);
    _exit(0);
  }
  waitpid(child, 0, 0);
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
  return 0;
}
