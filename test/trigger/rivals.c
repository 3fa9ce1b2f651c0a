/* SPDX-License-Identifier: Apache-2.0 */
/* rivals N: two threads on one CPU call named("aaaa...", 1) and named("bbbb...", 2) N times each. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static long count = 1;

__attribute__((noinline)) void named(const char *name, long number) { __asm__ volatile("" : : "r"(name), "r"(number)); }

static void *work(void *first) {
  for (long i = 0; i < count; i++) {
    if (first)
      named("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 1);
    else
      named("bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", 2);
  }
  return 0;
}

int main(int argc, char **argv) {
  pthread_t threads[2];
  cpu_set_t all, one;
  int cpu = 0;

  if (argc > 1) count = atol(argv[1]);
  sched_getaffinity(0, sizeof all, &all);
  while (!CPU_ISSET(cpu, &all)) cpu++;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  if (sched_setaffinity(0, sizeof one, &one) != 0) return 1;
  pthread_create(&threads[0], 0, work, "");
  pthread_create(&threads[1], 0, work, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
