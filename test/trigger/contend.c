/* SPDX-License-Identifier: Apache-2.0 */
/*
 * contend ROUNDS BLOCKS: two threads hold one mutex in turn, ROUNDS times each, for a millisecond of sleep; then keep()
 * allocates BLOCKS times 1000 bytes that stay, and as often 50 that do not.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long rounds = 1, blocks = 1;
void *volatile kept;

__attribute__((noinline)) static void hold(void) {
  pthread_mutex_lock(&mutex);
  usleep(1000);
  pthread_mutex_unlock(&mutex);
}

static void *work(void *nothing) {
  for (long i = 0; i < rounds; i++) hold();
  return nothing;
}

__attribute__((noinline)) static void keep(void) {
  for (long i = 0; i < blocks; i++) {
    void **block = malloc(1000);
    void *volatile passing = malloc(50);
    *block = kept;
    kept = block;
    free(passing);
  }
}

int main(int argc, char **argv) {
  pthread_t threads[2];

  if (argc > 1) rounds = atol(argv[1]);
  if (argc > 2) blocks = atol(argv[2]);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  keep();
  return 0;
}
