// SPDX-License-Identifier: Apache-2.0
// Calls the functions of instructions.S.
#include <stdlib.h>

#include "piece.h"

#if defined(__x86_64__) && defined(__LP64__)
long through_resolver(long n, long (*first)(long), long (*second)(long));
int mark(long *buffer) __attribute__((returns_twice));
int mark_and_jump(long *buffer) __attribute__((returns_twice));
void leap(long *buffer, long value) __attribute__((noreturn));
long pops(long n);
long call_skips(long n);
long with_saved(long n);
long offset_of_call(void);
long switches(long n, char *stack, long (*function)(long));

static long heard;
OUTLINE static long first(long n) { return heard = mixed(n); }
OUTLINE static long second(long n) { return n * 2 + heard; }

OUTLINE static void dive(long *buffer, long depth) {
  if (depth == 0) leap(buffer, 5);
  dive(buffer, depth - 1);
  KEEP(depth);
}

long assembly(long n) {
  long buffer[8];
  say("resolved", through_resolver(n, first, second));
  volatile long inner = 0;
  int came = mark(buffer);
  if (came == 0) {
    inner = within(n);
    dive(buffer, n % 4);
  }
  say("marked", came);
  volatile long rounds = 0;
  came = mark_and_jump(buffer);
  if (came == 0 || rounds < 3) {
    rounds++;
    dive(buffer, n % 3 + 1);
  }
  say("marked, jumped", came + rounds);
  say("popped", pops(n));
  say("skipped", call_skips(n));
  say("saved", with_saved(n));
  say("offset", offset_of_call() < 16);
  const size_t size = 64 * 1024;
  char *stack = malloc(size);
  say("switched", switches(n, stack + size, mixed));
  free(stack);
  return inner;
}
#else
long assembly(long n) { return within(n); }
#endif
