// SPDX-License-Identifier: Apache-2.0
// Functions that are left by jumps: to others, through pointers, through tables of cases, and with much on the stack.
#include <alloca.h>
#include <string.h>

#include "piece.h"

OUTLINE static long leaf(long n) {
  KEEP(n);
  return n * 3 + 1;
}
OUTLINE static long calls(long n) { return leaf(n) + leaf(n + 1); }
OUTLINE static long jumps(long n) {
  KEEP(n);
  return calls(n + 1);
}
static long (*volatile pointer)(long) = calls;
OUTLINE static long jumps_through(long n) {
  KEEP(n);
  return pointer(n + 2);
}
OUTLINE static long even(long n);
OUTLINE static long odd(long n) {
  KEEP(n);
  return n == 0 ? 0 : even(n - 1);
}
OUTLINE static long even(long n) {
  KEEP(n);
  return n == 0 ? 1 : odd(n - 1);
}

OUTLINE static long cases(long n) {
  switch (n & 7) {
    case 0:
      return leaf(n);
    case 1:
      return calls(n);
    case 2:
      return jumps(n);
    case 3:
      return pointer(n);
    case 4:
      return n * 5;
    case 5:
      return leaf(n) + 1;
    case 6:
      return even(n);
    default:
      return -n;
  }
}

OUTLINE static long on_the_stack(long n) {
  const size_t size = (size_t)(n % 7 + 1) * 100;
  char *text = alloca(size);
  memset(text, (int)(n & 63) + 1, size);
  long sum = 0;
  for (size_t i = 0; i < size; i += 50) sum += text[i] + leaf((long)i);
  return sum;
}

OUTLINE static long variable_array(long n) {
  long numbers[n % 9 + 1];
  for (long i = 0; i <= n % 9; i++) numbers[i] = leaf(i);
  return within(n) + numbers[n % 9];
}

struct large {
  long words[9];
};
OUTLINE static struct large by_memory(long n) {
  struct large result;
  for (int i = 0; i < 9; i++) result.words[i] = leaf(n + i);
  return result;
}
OUTLINE static long double on_the_fpu(long n) { return (long double)n / 4 + leaf(n); }
OUTLINE static double many(double a, long b, double c, long d, long e, long f, long g, long h, long i, struct large j) {
  return a * 2 + (double)(b + d + e + f + g + h + i) + c + (double)j.words[8];
}

long tail_calls(long n) {
  long sum = 0;
  for (long i = 0; i < 16; i++) sum = sum * 3 + cases(n + i);
  say("cases", sum);
  say("through", jumps_through(n) + jumps(n));
  say("even", even(n % 40) + odd(41));
  say("stack", on_the_stack(n));
  say("memory", by_memory(n).words[7]);
  say("floating", (long)(on_the_fpu(n) * 8) + (long)(many(1.5, n, 2.5, 1, 2, 3, 4, 5, 6, by_memory(1)) * 8));
  return variable_array(n);
}
