/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plocks: takes and gives back locks of the C library, free ones and such that it has to wait for, and says what they
 * are:
 *
 *     lock NAME ADDRESS
 *     thread NAME ID
 *
 * A thread that has to wait sleeps in the kernel before the lock is given back.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, recursive, checked, adaptive, robust, with_priority, waited;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static volatile pid_t other;

static void expect(int result, int expected, const char *what) {
  if (result == expected) return;
  fprintf(stderr, "%s: %d\n", what, result);
  exit(1);
}

static char state_of(pid_t tid) {
  char name[64], text[256] = "", *end;
  int fd;
  snprintf(name, sizeof(name), "/proc/self/task/%d/stat", tid);
  fd = open(name, O_RDONLY);
  if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0) text[0] = 0;
  close(fd);
  end = strrchr(text, ')');
  return end ? end[2] : 0;
}

/* Returns when the other thread sleeps, and has slept for 2 ms. */
static void await_sleep(void) {
  const struct timespec poll_time = {0, 2000000};
  int asleep = 0;
  while (asleep < 2) {
    nanosleep(&poll_time, 0);
    asleep = other && state_of(other) == 'S' ? asleep + 1 : 0;
  }
}

static void make(pthread_mutex_t *mutex, int type, int is_robust, int protocol) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  if (is_robust) pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_setprotocol(&attributes, protocol);
  expect(pthread_mutex_init(mutex, &attributes), 0, "pthread_mutex_init");
}

/* Each function is what another thread does that has to wait for main(). */
static void wait_plain(void) {
  expect(pthread_mutex_lock(&plain), 0, "lock");
  pthread_mutex_unlock(&plain);
}
static void wait_adaptive(void) {
  expect(pthread_mutex_lock(&adaptive), 0, "lock");
  pthread_mutex_unlock(&adaptive);
}
static void wait_robust(void) {
  expect(pthread_mutex_lock(&robust), 0, "lock");
  pthread_mutex_unlock(&robust);
}
static void wait_priority(void) {
  expect(pthread_mutex_lock(&with_priority), 0, "lock");
  pthread_mutex_unlock(&with_priority);
}
static void try_and_time_out(void) {
  struct timespec until;
  expect(pthread_mutex_trylock(&plain), EBUSY, "trylock");
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 20000000;
  if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
  expect(pthread_mutex_timedlock(&plain, &until), ETIMEDOUT, "timedlock");
}
static void wait_to_read(void) {
  expect(pthread_rwlock_tryrdlock(&rw), EBUSY, "tryrdlock");
  expect(pthread_rwlock_rdlock(&rw), 0, "rdlock");
  pthread_rwlock_unlock(&rw);
}
static void wait_to_write(void) {
  expect(pthread_rwlock_wrlock(&rw), 0, "wrlock");
  pthread_rwlock_unlock(&rw);
}
static void wait_for_condition(void) {
  pthread_mutex_lock(&waited);
  expect(pthread_cond_wait(&condition, &waited), 0, "cond_wait");
  pthread_mutex_unlock(&waited);
}

struct role {
  const char *name;
  void (*act)(void);
};

static void *run(void *role) {
  pid_t tid = syscall(SYS_gettid);
  printf("thread %s %d\n", ((struct role *)role)->name, tid);
  other = tid;
  ((struct role *)role)->act();
  return 0;
}

static pthread_t begin(struct role *role) {
  pthread_t thread;
  other = 0;
  expect(pthread_create(&thread, 0, run, role), 0, "pthread_create");
  return thread;
}

int main(void) {
  static struct role roles[] = {{"plain", wait_plain},       {"adaptive", wait_adaptive},      {"robust", wait_robust},
                                {"priority", wait_priority}, {"timed", try_and_time_out},      {"reader", wait_to_read},
                                {"writer", wait_to_write},   {"condition", wait_for_condition}};
  pthread_mutex_t *contended[] = {&plain, &adaptive, &robust, &with_priority, &plain};
  pthread_t thread;
  setvbuf(stdout, 0, _IOFBF, 1 << 16);
  make(&recursive, PTHREAD_MUTEX_RECURSIVE, 0, PTHREAD_PRIO_NONE);
  make(&checked, PTHREAD_MUTEX_ERRORCHECK, 0, PTHREAD_PRIO_NONE);
  make(&adaptive, PTHREAD_MUTEX_ADAPTIVE_NP, 0, PTHREAD_PRIO_NONE);
  make(&robust, PTHREAD_MUTEX_NORMAL, 1, PTHREAD_PRIO_NONE);
  make(&with_priority, PTHREAD_MUTEX_NORMAL, 0, PTHREAD_PRIO_INHERIT);
  make(&waited, PTHREAD_MUTEX_NORMAL, 0, PTHREAD_PRIO_NONE);
  printf(
      "lock plain %p\nlock recursive %p\nlock checked %p\nlock adaptive %p\nlock robust %p\nlock priority %p\nlock "
      "waited %p\n",
      (void *)&plain, (void *)&recursive, (void *)&checked, (void *)&adaptive, (void *)&robust, (void *)&with_priority,
      (void *)&waited);
  printf("lock rw %p\nthread main %d\n", (void *)&rw, getpid());

  for (int i = 0; i < 2; i++) expect(pthread_mutex_lock(&recursive), 0, "lock");
  for (int i = 0; i < 2; i++) expect(pthread_mutex_unlock(&recursive), 0, "unlock");
  expect(pthread_mutex_lock(&checked), 0, "lock");
  expect(pthread_mutex_lock(&checked), EDEADLK, "lock");
  expect(pthread_mutex_unlock(&checked), 0, "unlock");
  expect(pthread_mutex_unlock(&checked), EPERM, "unlock");

  for (int i = 0; i < 5; i++) {
    expect(pthread_mutex_lock(contended[i]), 0, "lock");
    thread = begin(&roles[i]);
    if (roles[i].act == try_and_time_out)
      pthread_join(thread, 0);
    else
      await_sleep();
    expect(pthread_mutex_unlock(contended[i]), 0, "unlock");
    if (roles[i].act != try_and_time_out) pthread_join(thread, 0);
  }
  expect(pthread_rwlock_wrlock(&rw), 0, "wrlock");
  expect(pthread_rwlock_wrlock(&rw), EDEADLK, "wrlock");
  thread = begin(&roles[5]);
  await_sleep();
  pthread_rwlock_unlock(&rw);
  pthread_join(thread, 0);
  expect(pthread_rwlock_rdlock(&rw), 0, "rdlock");
  thread = begin(&roles[6]);
  await_sleep();
  pthread_rwlock_unlock(&rw);
  pthread_join(thread, 0);

  thread = begin(&roles[7]);
  await_sleep();
  pthread_cond_signal(&condition);
  pthread_join(thread, 0);
  return 0;
}
