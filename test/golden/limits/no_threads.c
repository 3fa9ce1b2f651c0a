// SPDX-License-Identifier: Apache-2.0
// Preloaded: the process has THREADS threads, and then no more can be started, as in a control group at its limit.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  static atomic_int started;
  static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  const char *most = getenv("THREADS");
  if (most && atomic_fetch_add(&started, 1) >= atoi(most)) return EAGAIN;
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
  return real(thread, attributes, start, argument);
}
