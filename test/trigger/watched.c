/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watched: main() writes to `counter` five times and reads it twice; then a thread writes to it three times. called()
 * is called four times. `wide` is written to once in its first byte and once in its last one, `large` in its first word
 * and its last one.
 */
#include <pthread.h>

volatile int counter;
volatile unsigned char wide[8] __attribute__((aligned(8)));
/* One breakpoint does not reach all of them. */
struct {
  volatile int first, second, third;
} large __attribute__((aligned(8)));
static volatile int sum;

__attribute__((noinline)) static void called(void) { sum += 1; }

static void *run(void *unused) {
  for (int i = 0; i < 3; i++) counter = 100 + i;
  return unused;
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < 5; i++) counter = i + 1;
  for (int i = 0; i < 2; i++) sum += counter;
  for (int i = 0; i < 4; i++) called();
  wide[0] = 1;
  wide[7] = 1;
  large.first = large.third = 1;
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  return 0;
}
