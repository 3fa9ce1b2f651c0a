// SPDX-License-Identifier: Apache-2.0
// flags: -fsplit-stack
// only: gcc x86_64
// Stacks in parts: __morestack is called at a function's start, calls the function's rest, and returns for it.
#include "piece.h"

OUTLINE static long deep(long n) {
  char room[20000];
  room[n % 100] = (char)n;
  KEEP(n);
  return n == 0 ? mixed(3) : deep(n - 1) + room[n % 100];
}

long split_stack(long n) {
  say("deep", deep(n % 5 + 3));
  return within(n);
}
