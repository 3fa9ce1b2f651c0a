/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockwait mutex|rw [FOLDER]: a thread waits once, for at least 50 ms, for a lock of the kernel: a pipe's mutex, or
 * that of a file that is written to. Prints how long the lock was held from then on, in ns.
 *
 * The holder writes from memory that is not there yet, and that its fault is asked for by userfaultfd(2): it sleeps
 * with the lock held until main() gives the page. A waiter does not spin for a holder that sleeps. getsid(1) is called
 * when the waiter is about to wait, by it.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static char *absent; /* the page that is not there */
static int target;
static volatile pid_t waiter;

static void need(int done, const char *what) {
  if (done) return;
  perror(what);
  exit(1);
}

static void *hold(void *unused) {
  need(write(target, absent, 100) == 100, "write");
  return unused;
}

static void *wait_for_it(void *unused) {
  char bytes[100] = "";
  waiter = syscall(SYS_gettid);
  getsid(1);
  need(write(target, bytes, 100) == 100, "write");
  return unused;
}

/* The state of a thread by /proc: D is an uninterruptible sleep, which is how locks are waited for. */
static char state_of(pid_t tid) {
  char name[64], text[256] = "", *end;
  int fd;
  snprintf(name, sizeof(name), "/proc/self/task/%d/stat", tid);
  fd = open(name, O_RDONLY);
  need(fd >= 0 && read(fd, text, sizeof(text) - 1) > 0, name);
  close(fd);
  end = strrchr(text, ')');
  return end ? end[2] : 0;
}

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int argc, char **argv) {
  const long page = sysconf(_SC_PAGESIZE);
  const int is_mutex = argc > 1 && !strcmp(argv[1], "mutex");
  const struct timespec hold_time = {0, 50000000}, poll_time = {0, 1000000};
  int faults = syscall(SYS_userfaultfd, O_CLOEXEC), ends[2];
  struct uffdio_api api = {.api = UFFD_API};
  struct uffdio_register range = {.mode = UFFDIO_REGISTER_MODE_MISSING};
  struct uffdio_zeropage zero = {0};
  struct uffd_msg message;
  pthread_t holder, other;
  long long since;

  need(faults >= 0 && ioctl(faults, UFFDIO_API, &api) == 0, "userfaultfd");
  absent = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  range.range.start = zero.range.start = (unsigned long)absent;
  range.range.len = zero.range.len = page;
  need(ioctl(faults, UFFDIO_REGISTER, &range) == 0, "UFFDIO_REGISTER");
  if (is_mutex) {
    need(pipe(ends) == 0, "pipe");
    target = ends[1];
  } else {
    target = memfd_create("lockwait", 0);
    need(target >= 0, "memfd_create");
  }
  pthread_create(&holder, NULL, hold, NULL);
  need(read(faults, &message, sizeof(message)) == sizeof(message), "the fault"); /* the lock is held */
  pthread_create(&other, NULL, wait_for_it, NULL);
  while (!waiter || state_of(waiter) != 'D') nanosleep(&poll_time, NULL);
  since = now();
  nanosleep(&hold_time, NULL);
  printf("%lld\n", now() - since);
  need(ioctl(faults, UFFDIO_ZEROPAGE, &zero) == 0, "UFFDIO_ZEROPAGE");
  pthread_join(holder, NULL);
  pthread_join(other, NULL);
  return 0;
}
