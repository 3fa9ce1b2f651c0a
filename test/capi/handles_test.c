/* SPDX-License-Identifier: Apache-2.0 */
/* Handles beside each other, in threads of their own, and one after another. */
#include "client.h"

#include <dirent.h>
#include <pthread.h>
#include <sys/syscall.h>

static int count_rows(const dtrace_probedata_t *data, void *arg) {
  (void)data;
  ++*(int *)arg;
  return DTRACE_CONSUME_NEXT;
}

static void two_at_once(void) {
  int first_rows = 0, second_rows = 0;
  dtrace_hdl_t *first = start(OURS "{ trace(1); }");
  dtrace_hdl_t *second;
  fire(1);
  second = start(OURS "{ trace(2); }");
  fire(2);
  CHECK(dtrace_stop(first) == 0);
  fire(4);
  CHECK(dtrace_work(first, NULL, count_rows, NULL, &first_rows) == DTRACE_WORKSTATUS_DONE);
  CHECK(dtrace_work(second, NULL, count_rows, NULL, &second_rows) == DTRACE_WORKSTATUS_OKAY);
  dtrace_close(first);
  fire(1);
  CHECK(dtrace_stop(second) == 0);
  CHECK(dtrace_work(second, NULL, count_rows, NULL, &second_rows) == DTRACE_WORKSTATUS_DONE);
  CHECK(first_rows == 3);
  CHECK(second_rows == 7);
  dtrace_close(second);
}

static int add_count(const dtrace_aggdata_t *data, void *arg) {
  const dtrace_aggdesc_t *desc = data->dtada_desc;
  uint64_t count;
  memcpy(&count, data->dtada_data + (&desc->dtagd_rec[0] + desc->dtagd_nrecs - 1)->dtrd_offset, sizeof count);
  *(uint64_t *)arg += count;
  return DTRACE_AGGWALK_NEXT;
}

static void *trace_this_thread(void *arg) {
  char text[128];
  uint64_t count = 0;
  int i;
  dtrace_hdl_t *dtp;
  snprintf(text, sizeof text, "syscall::getpgid:entry /tid == %ld/ { @ = count(); }", (long)syscall(SYS_gettid));
  dtp = start(text);
  for (i = 0; i < 100; ++i) (void)syscall(SYS_getpgid, 0);
  CHECK(dtrace_stop(dtp) == 0);
  CHECK(dtrace_aggregate_walk(dtp, add_count, &count) == 0);
  dtrace_close(dtp);
  *(uint64_t *)arg = count;
  return NULL;
}

static void one_in_each_of_two_threads(void) {
  uint64_t counts[2] = {0, 0};
  pthread_t threads[2];
  int i;
  for (i = 0; i < 2; ++i) CHECK(pthread_create(&threads[i], NULL, trace_this_thread, &counts[i]) == 0);
  for (i = 0; i < 2; ++i) CHECK(pthread_join(threads[i], NULL) == 0);
  CHECK(counts[0] == 100);
  CHECK(counts[1] == 100);
}

/* A handle may go from one thread to another. */
static void *finish_elsewhere(void *arg) {
  int rows = 0;
  dtrace_hdl_t *dtp = (dtrace_hdl_t *)arg;
  CHECK(dtrace_stop(dtp) == 0);
  CHECK(dtrace_work(dtp, NULL, count_rows, NULL, &rows) == DTRACE_WORKSTATUS_DONE);
  CHECK(rows == 2);
  dtrace_close(dtp);
  return NULL;
}
static void from_one_thread_to_another(void) {
  pthread_t thread;
  dtrace_hdl_t *dtp = start(OURS "{ trace(1); }");
  fire(2);
  CHECK(pthread_create(&thread, NULL, finish_elsewhere, dtp) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
}

/* ---------------------------------------------------------------- nothing stays */

static int entries_of(const char *directory) {
  int count = 0;
  DIR *dir = opendir(directory);
  while (readdir(dir) != NULL) ++count;
  closedir(dir);
  return count;
}
static long resident_kib(void) {
  char line[256];
  long kib = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "VmRSS: %ld", &kib) == 1) break;
  fclose(file);
  return kib;
}

static void open_and_close(void) { dtrace_close(open_handle()); }

static void compile_only(void) {
  dtrace_hdl_t *dtp = open_handle();
  add(dtp, OURS "{ @[execname] = count(); }");
  dtrace_close(dtp);
}

static void trace_once(void) {
  uint64_t count = 0;
  dtrace_hdl_t *dtp = start(OURS "{ @[ustack(5)] = count(); trace(curpsinfo->pr_fname); }");
  fire(3);
  CHECK(dtrace_work(dtp, NULL, NULL, NULL, NULL) == DTRACE_WORKSTATUS_OKAY);
  CHECK(dtrace_aggregate_snap(dtp) == 0);
  CHECK(dtrace_aggregate_walk(dtp, add_count, &count) == 0);
  CHECK(count == 3 || (fprintf(stderr, "%d\n", (int)count), 0));
  dtrace_close(dtp);
}

/* The allocator's holes vary; a leak of one round's tables would be megabytes each. */
static void repeat(void (*round)(void), int rounds, const char *what) {
  int i, fds, threads;
  long kib;
  for (i = 0; i < 5; ++i) round(); /* what is made once is made */
  fds = entries_of("/proc/self/fd");
  threads = entries_of("/proc/self/task");
  kib = resident_kib();
  for (i = 0; i < rounds; ++i) round();
  CHECK(entries_of("/proc/self/fd") == fds);
  CHECK(entries_of("/proc/self/task") == threads);
#ifndef __SANITIZE_ADDRESS__
  CHECK(resident_kib() < kib + 16 * 1024 + rounds * 8);
#endif
  printf("after %d more handles that %s: %+ld KiB\n", rounds, what, resident_kib() - kib);
}

/* DTRACE_CAPI_ROUNDS: how many of those that take time; 1000 take minutes. */
static void nothing_stays(void) {
  const char *wanted = getenv("DTRACE_CAPI_ROUNDS");
  const int rounds = wanted != NULL ? atoi(wanted) : 10;
  repeat(open_and_close, 1000, "are opened and closed");
  repeat(compile_only, rounds, "compile");
  repeat(trace_once, rounds, "trace");
}

int main(void) {
  skip_if_forbidden();
  TEST(two_at_once);
  TEST(one_in_each_of_two_threads);
  TEST(from_one_thread_to_another);
  TEST(nothing_stays);
  return failures != 0;
}
