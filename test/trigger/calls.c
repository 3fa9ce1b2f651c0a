/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calls N: calls twice(i) and describe("word", i, ... 8 numbers) N times, i from 0. twice() returns 2 * i, describe()
 * the sum of its numbers.
 */
#include <stdlib.h>

volatile long sink;

__attribute__((noinline)) long twice(long i) {
  sink += i;
  return 2 * i;
}

__attribute__((noinline)) long describe(const char *word, long a, long b, long c, long d, long e, long f, long g) {
  sink += word[0];
  return a + b + c + d + e + f + g;
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 1;

  for (long i = 0; i < n; i++) {
    sink += twice(i);
    sink += describe("word", i, 2, 3, 4, 5, 6, 7);
  }
  return 0;
}
