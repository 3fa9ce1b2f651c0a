/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that are called from a callback, or by another thread, although they may not. They fail with
 * DTRACE_E_BUSY, and the handle goes on as if nothing had been called. */
#include "client.h"

#include <errno.h>
#include <pthread.h>

/* What is tried: each returns whether it was refused. */
static int is_busy(dtrace_hdl_t *dtp) {
  const int number = dtrace_errno(dtp);
  if (number != DTRACE_E_BUSY) return 0;
  return strncmp(dtrace_errmsg(dtp, number), "not possible ", 13) == 0;
}
static int each_probe(dtrace_hdl_t *dtp, const dtrace_probedesc_t *probe, void *arg) {
  (void)dtp, (void)probe, (void)arg;
  return 0;
}
static int each_entry(const dtrace_aggdata_t *data, void *arg) {
  (void)data, (void)arg;
  return DTRACE_AGGWALK_NEXT;
}
static int buffered(const dtrace_bufdata_t *data, void *arg) {
  (void)data, (void)arg;
  return DTRACE_HANDLE_OK;
}

/* --- refused in every callback */

static int try_close(dtrace_hdl_t *dtp) { return dtrace_close(dtp), is_busy(dtp); }
static int try_go(dtrace_hdl_t *dtp) { return dtrace_go(dtp) == -1 && is_busy(dtp); }
static int try_work(dtrace_hdl_t *dtp) {
  return dtrace_work(dtp, NULL, NULL, NULL, NULL) == DTRACE_WORKSTATUS_ERROR && is_busy(dtp);
}
static int try_consume(dtrace_hdl_t *dtp) { return dtrace_consume(dtp, NULL, NULL, NULL, NULL) == -1 && is_busy(dtp); }

/* --- also refused to another thread, and to handlers for messages */

static int try_setopt(dtrace_hdl_t *dtp) { return dtrace_setopt(dtp, "quiet", NULL) == -1 && is_busy(dtp); }
static int try_strcompile(dtrace_hdl_t *dtp) {
  return dtrace_program_strcompile(dtp, "BEGIN", DTRACE_PROBESPEC_NAME, 0, 0, NULL) == NULL && is_busy(dtp);
}
static int try_no_text(dtrace_hdl_t *dtp) {
  return dtrace_program_strcompile(dtp, NULL, DTRACE_PROBESPEC_NAME, 0, 0, NULL) == NULL && is_busy(dtp);
}
static int try_fcompile(dtrace_hdl_t *dtp) {
  return dtrace_program_fcompile(dtp, NULL, 0, 0, NULL) == NULL && is_busy(dtp);
}
static int try_exec(dtrace_hdl_t *dtp) { return dtrace_program_exec(dtp, NULL, NULL) == -1 && is_busy(dtp); }
static int try_stop(dtrace_hdl_t *dtp) { return dtrace_stop(dtp) == -1 && is_busy(dtp); }
static int try_sleep(dtrace_hdl_t *dtp) { return dtrace_sleep(dtp), is_busy(dtp); }
static int try_poll_fd(dtrace_hdl_t *dtp) { return dtrace_poll_fd(dtp) == -1 && is_busy(dtp); }
static int try_status(dtrace_hdl_t *dtp) { return dtrace_status(dtp) == -1 && is_busy(dtp); }
static int try_snap(dtrace_hdl_t *dtp) { return dtrace_aggregate_snap(dtp) == -1 && is_busy(dtp); }
static int try_clear(dtrace_hdl_t *dtp) { return dtrace_aggregate_clear(dtp), is_busy(dtp); }
static int try_print(dtrace_hdl_t *dtp) { return dtrace_aggregate_print(dtp, NULL, NULL) == -1 && is_busy(dtp); }
static int try_walk(dtrace_hdl_t *dtp) {
  return dtrace_aggregate_walk(dtp, each_entry, NULL) == -1 && is_busy(dtp) &&
         dtrace_aggregate_walk_keysorted(dtp, each_entry, NULL) == -1 &&
         dtrace_aggregate_walk_valsorted(dtp, each_entry, NULL) == -1 &&
         dtrace_aggregate_walk_keyvarsorted(dtp, each_entry, NULL) == -1 &&
         dtrace_aggregate_walk_valrevsorted(dtp, each_entry, NULL) == -1 && is_busy(dtp);
}
static int try_handlers(dtrace_hdl_t *dtp) {
  return dtrace_handle_buffered(dtp, buffered, NULL) == -1 && is_busy(dtp) &&
         dtrace_handle_drop(dtp, NULL, NULL) == -1 && is_busy(dtp) && dtrace_handle_err(dtp, NULL, NULL) == -1 &&
         is_busy(dtp) && dtrace_handle_message(dtp, NULL, NULL) == -1 && is_busy(dtp);
}
static int try_create(dtrace_hdl_t *dtp) {
  char *const words[] = {(char *)"true", NULL};
  return dtrace_proc_create(dtp, "true", words) == NULL && is_busy(dtp);
}
static int try_grab(dtrace_hdl_t *dtp) {
  return dtrace_proc_grab(dtp, 1, 0) == NULL && dtrace_proc_grab_pid(dtp, 1, 0) == NULL && is_busy(dtp);
}
static int try_look_up(dtrace_hdl_t *dtp) { return dtrace_lookup_by_addr(dtp, 0, NULL, NULL) == -1 && is_busy(dtp); }
static int try_names(dtrace_hdl_t *dtp) {
  return dtrace_addr2str(dtp, 0, NULL, 0) == -1 && dtrace_uaddr2str(dtp, 1, 0, NULL, 0) == -1 && is_busy(dtp);
}
static int try_probe_iter(dtrace_hdl_t *dtp) {
  return dtrace_probe_iter(dtp, NULL, each_probe, NULL) == -1 && is_busy(dtp);
}
static int try_id2desc(dtrace_hdl_t *dtp) {
  dtrace_probedesc_t probe;
  return dtrace_id2desc(dtp, 1, &probe) == -1 && is_busy(dtp);
}

/* --- refused to another thread only */

static int try_getopt(dtrace_hdl_t *dtp) {
  dtrace_optval_t value;
  return dtrace_getopt(dtp, "bufsize", &value) == -1 && is_busy(dtp);
}

typedef struct {
  const char *name;
  int (*is_refused)(dtrace_hdl_t *dtp);
} misuse_t;
#define MISUSE(name) {#name, try_##name}
static const misuse_t of_callbacks[] = {MISUSE(close), MISUSE(go), MISUSE(work), MISUSE(consume)};
static const misuse_t of_messages[] = {MISUSE(setopt),  MISUSE(strcompile), MISUSE(no_text),    MISUSE(fcompile),
                                       MISUSE(exec),    MISUSE(stop),       MISUSE(sleep),      MISUSE(poll_fd),
                                       MISUSE(status),  MISUSE(snap),       MISUSE(clear),      MISUSE(print),
                                       MISUSE(walk),    MISUSE(handlers),   MISUSE(create),     MISUSE(grab),
                                       MISUSE(look_up), MISUSE(names),      MISUSE(probe_iter), MISUSE(id2desc)};
static const misuse_t of_threads[] = {MISUSE(getopt)};
#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static void try_all(dtrace_hdl_t *dtp, const char *where, const misuse_t *table, size_t count) {
  size_t i;
  for (i = 0; i < count; ++i) {
    if (table[i].is_refused(dtp)) continue;
    fprintf(stderr, "%s: dtrace_%s() is not refused in %s\n", test_name, table[i].name, where);
    ++failures;
  }
}

/* ---------------------------------------------------------------- in what the library calls */

static int seen; /* callbacks that came */

static void try_in_callback(dtrace_hdl_t *dtp, const char *where) {
  ++seen;
  try_all(dtp, where, of_callbacks, COUNT(of_callbacks));
}
static int in_probe(const dtrace_probedata_t *data, void *arg) {
  (void)arg;
  try_in_callback(data->dtpda_handle, "the function for rows");
  return DTRACE_CONSUME_THIS;
}
static int in_record(const dtrace_probedata_t *data, const dtrace_recdesc_t *record, void *arg) {
  (void)arg;
  try_in_callback(data->dtpda_handle, "the function for records");
  return record == NULL ? DTRACE_CONSUME_NEXT : DTRACE_CONSUME_THIS;
}
static int in_buffered(const dtrace_bufdata_t *data, void *arg) {
  (void)arg;
  try_in_callback(data->dtbda_handle, "the handler for buffered output");
  return DTRACE_HANDLE_OK;
}
static int in_fault(const dtrace_errdata_t *data, void *arg) {
  (void)arg;
  try_in_callback(data->dteda_handle, "the handler for faults");
  return DTRACE_HANDLE_OK;
}
static int in_walk(const dtrace_aggdata_t *data, void *arg) {
  (void)arg;
  try_in_callback(data->dtada_handle, "the function for aggregations");
  return DTRACE_AGGWALK_NEXT;
}
static int own_walk(dtrace_hdl_t *dtp, dtrace_aggregate_f *function, void *arg) {
  try_in_callback(dtp, "the walk of dtrace_aggregate_print()");
  return dtrace_aggregate_walk(dtp, function, arg);
}
static int in_probe_iter(dtrace_hdl_t *dtp, const dtrace_probedesc_t *probe, void *arg) {
  (void)probe, (void)arg;
  try_in_callback(dtp, "the function for probes");
  return 0;
}

/* system() hands over what came before it, while the tracer runs. */
static void callbacks(void) {
  int before;
  dtrace_probedesc_t pattern;
  dtrace_hdl_t *dtp = open_handle();
  CHECK(dtrace_handle_buffered(dtp, in_buffered, NULL) == 0);
  CHECK(dtrace_handle_err(dtp, in_fault, NULL) == 0);
  CHECK(dtrace_setopt(dtp, "destructive", NULL) == 0);
  memset(&pattern, 0, sizeof pattern);
  strcpy(pattern.dtpd_provider, "dtrace");
  CHECK(dtrace_probe_iter(dtp, &pattern, in_probe_iter, NULL) == 0);
  CHECK(seen == 3);
  add(dtp, "BEGIN { @ = count(); printf(\"a\"); system(\"true\"); } BEGIN { x = 0; trace(1 / x); } END { trace(1); }");
  REQUIRE_OK(dtp, dtrace_go(dtp) == 0);
  before = seen;
  CHECK(dtrace_work(dtp, NULL, in_probe, in_record, NULL) == DTRACE_WORKSTATUS_OKAY);
  CHECK(seen > before + 3);
  before = seen;
  CHECK(dtrace_aggregate_snap(dtp) == 0);
  CHECK(dtrace_aggregate_walk(dtp, in_walk, NULL) == 0);
  CHECK(seen == before + 1);
  CHECK(dtrace_aggregate_print(dtp, NULL, own_walk) == 0);
  CHECK(seen >= before + 3); /* the walk, and what it has printed */
  CHECK(dtrace_stop(dtp) == 0);
  before = seen;
  CHECK(dtrace_work(dtp, NULL, in_probe, in_record, NULL) == DTRACE_WORKSTATUS_DONE);
  CHECK(seen > before);
  dtrace_close(dtp);
}

static void in_message(dtrace_hdl_t *dtp, const char *message, void *arg) {
  dtrace_optval_t value;
  (void)message, (void)arg;
  try_in_callback(dtp, "the handler for messages");
  try_all(dtp, "the handler for messages", of_messages, COUNT(of_messages));
  CHECK(dtrace_getopt(dtp, "bufsize", &value) == 0);
}

/* Messages come in the midst of a compilation. */
static void messages(void) {
  dtrace_hdl_t *dtp = open_handle();
  CHECK(dtrace_handle_message(dtp, in_message, NULL) == 0);
  CHECK(dtrace_setopt(dtp, "debug", NULL) == 0);
  seen = 0;
  add(dtp, "BEGIN { exit(0); }");
  CHECK(seen > 0);
  dtrace_close(dtp);
}

/* ---------------------------------------------------------------- in another thread */

static void *misuse_elsewhere(void *arg) {
  dtrace_hdl_t *dtp = (dtrace_hdl_t *)arg;
  try_all(dtp, "another thread", of_callbacks, COUNT(of_callbacks));
  try_all(dtp, "another thread", of_messages, COUNT(of_messages));
  try_all(dtp, "another thread", of_threads, COUNT(of_threads));
  return NULL;
}
/* This thread is in dtrace_work() until the other one has tried everything. */
static int let_another_try(const dtrace_probedata_t *data, void *arg) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, misuse_elsewhere, data->dtpda_handle) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  ++*(int *)arg;
  return DTRACE_CONSUME_THIS;
}
static void *count_probes(void *arg) {
  CHECK(dtrace_setopt((dtrace_hdl_t *)arg, "nosuch", NULL) == -1);
  CHECK(dtrace_errno((dtrace_hdl_t *)arg) == DTRACE_E_OPTION_NAME);
  return NULL;
}

static void threads(void) {
  int rows = 0;
  pthread_t thread;
  dtrace_hdl_t *dtp = start(OURS "{ trace(1); @ = count(); }");
  fire(2);
  CHECK(dtrace_work(dtp, NULL, let_another_try, NULL, &rows) == DTRACE_WORKSTATUS_OKAY);
  CHECK(rows == 2);
  /* One after another they may, and the errors of each are its own. */
  CHECK(pthread_create(&thread, NULL, count_probes, dtp) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(dtrace_stop(dtp) == 0);
  CHECK(dtrace_work(dtp, NULL, NULL, NULL, NULL) == DTRACE_WORKSTATUS_DONE);
  dtrace_close(dtp);
}

int main(void) {
  skip_if_forbidden();
  TEST(callbacks);
  TEST(messages);
  TEST(threads);
  return failures != 0;
}
