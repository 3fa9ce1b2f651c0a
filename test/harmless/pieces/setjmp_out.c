// SPDX-License-Identifier: Apache-2.0
// Leaves several calls at once, with and without the mask of signals.
#include <setjmp.h>

#include "piece.h"

static jmp_buf plain;
static sigjmp_buf masked;

OUTLINE static long dive(long depth, int how) {
  if (depth == 0) {
    if (how == 0) longjmp(plain, 7);
    siglongjmp(masked, how);
  }
  const long below = dive(depth - 1, how);
  return below + depth;
}

OUTLINE static long plain_jump(long n) {
  jmp_buf saved;
  __builtin_memcpy(saved, plain, sizeof saved);
  volatile long result = n;
  const int came = setjmp(plain);
  if (came == 0) {
    result += dive(n % 5 + 1, 0);
    say("not reached", result);
  }
  __builtin_memcpy(plain, saved, sizeof saved);
  return result + came;
}

OUTLINE static long masked_jump(long n, int mask) {
  sigjmp_buf saved;
  __builtin_memcpy(saved, masked, sizeof saved);
  volatile long rounds = 0;
  int came = sigsetjmp(masked, mask);
  if (came < 4) {
    rounds++;
    dive(n % 3 + 1, came + 1);
  }
  __builtin_memcpy(masked, saved, sizeof saved);
  return rounds * 10 + came;
}

long setjmp_out(long n) {
  say("plain", plain_jump(n));
  jmp_buf here;
  volatile long inner = 0;
  if (setjmp(here) == 0) {
    inner = within(n);
    longjmp(here, 1);
  }
  say("masked", masked_jump(n, 1) + masked_jump(n, 0));
  return inner;
}
