// SPDX-License-Identifier: Apache-2.0
// Threads that return, end themselves within calls, are cancelled where they wait, or at any instruction.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "piece.h"

static __thread long own;

OUTLINE static void ends(long depth) {
  if (depth == 0) pthread_exit((void *)(own + 40));
  ends(depth - 1);
  KEEP(depth);
}

static void cleanup(void *sum) { *(long *)sum += 100; }

OUTLINE static void *returns(void *argument) {
  own = within((long)argument);
  return (void *)own;
}

OUTLINE static void *exits(void *argument) {
  own = (long)argument;
  long *sum = &own;
  pthread_cleanup_push(cleanup, sum);
  ends(own % 5 + 1);
  pthread_cleanup_pop(0);
  return NULL;
}

struct waiting {
  sem_t started, never;
  long sum;
};

OUTLINE static void *waits(void *argument) {
  struct waiting *waiting = argument;
  pthread_cleanup_push(cleanup, &waiting->sum);
  sem_post(&waiting->started);
  sem_wait(&waiting->never);
  pthread_cleanup_pop(0);
  return NULL;
}

OUTLINE static long spin_once(long n) { return n * 5 + 1; }

OUTLINE static void *spins(void *argument) {
  struct waiting *waiting = argument;
  pthread_cleanup_push(cleanup, &waiting->sum);
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  sem_post(&waiting->started);
  for (volatile long n = 0;; n = spin_once(n)) {
  }
  pthread_cleanup_pop(0);
  return NULL;
}

OUTLINE static long in_thread(void *(*body)(void *), long n) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, NULL, body, (void *)n);
  pthread_join(thread, &result);
  return (long)result;
}

OUTLINE static long cancelled(void *(*body)(void *)) {
  struct waiting waiting = {.sum = 0};
  sem_init(&waiting.started, 0, 0);
  sem_init(&waiting.never, 0, 0);
  pthread_t thread;
  void *result;
  pthread_create(&thread, NULL, body, &waiting);
  sem_wait(&waiting.started);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  return waiting.sum + (result == PTHREAD_CANCELED);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static long initialised;
static void initialise(void) { initialised++; }

long threads(long n) {
  pthread_once(&once, initialise);
  say("once", initialised);
  const long inner = in_thread(returns, n);
  say("exits", in_thread(exits, n));
  say("cancelled", cancelled(waits));
  if (n % 4 == 0) say("cancelled anywhere", cancelled(spins));
  return inner;
}
