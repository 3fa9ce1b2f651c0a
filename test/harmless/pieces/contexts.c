// SPDX-License-Identifier: Apache-2.0
// Coroutines by makecontext() and swapcontext(), which go on and off in turn; one is left for ever. getcontext()
// returns twice.
#include <stdlib.h>
#include <ucontext.h>

#include "piece.h"

static __thread struct turn {
  ucontext_t caller, callee;
  long value;
  struct turn *outer;
} *turn;

OUTLINE static void yield(long value) {
  turn->value = value;
  swapcontext(&turn->callee, &turn->caller);
}

OUTLINE static long deeper(long n) {
  if (n == 0) return 0;
  yield(n * n);
  return deeper(n - 1) + n;
}

static void coroutine(void) {
  const long sum = deeper(3);
  yield(sum);
}

OUTLINE static long again(long n) {
  ucontext_t here;
  volatile long times = 0;
  getcontext(&here);
  if (times++ < n % 3 + 1) setcontext(&here);
  return times;
}

long contexts(long n) {
  struct turn *mine = calloc(1, sizeof *mine);
  const size_t size = 256 * 1024;
  void *stack = malloc(size);
  mine->outer = turn;
  getcontext(&mine->callee);
  mine->callee.uc_stack.ss_sp = stack;
  mine->callee.uc_stack.ss_size = size;
  mine->callee.uc_link = &mine->caller;
  makecontext(&mine->callee, coroutine, 0);
  long sum = 0;
  for (int i = 0; i < 5; i++) {
    turn = mine;
    swapcontext(&mine->caller, &mine->callee);
    sum = sum * 3 + mine->value;
    turn = mine->outer;
    if (i == 1) sum += within(n);
  }
  say("sum", sum);
  say("again", again(n));
  free(stack);
  free(mine);
  return sum;
}
