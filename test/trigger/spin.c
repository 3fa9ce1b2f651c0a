/* SPDX-License-Identifier: Apache-2.0 */
/* spin N: spins in spin_here() for N seconds of processor time, then ends. */
#include <stdlib.h>
#include <time.h>

volatile unsigned long spins;

__attribute__((noinline)) void spin_here(void) {
  for (int i = 0; i < 1000000; i++) spins++;
}

int main(int argc, char **argv) {
  clock_t end = clock() + (argc > 1 ? atol(argv[1]) : 1) * CLOCKS_PER_SEC;

  while (clock() < end) spin_here();
  return 0;
}
