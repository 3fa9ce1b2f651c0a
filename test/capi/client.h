/* SPDX-License-Identifier: Apache-2.0 */
/* What the clients of the tests share. Compiled as C11 and as C++. */
#ifndef CLIENT_H
#define CLIENT_H

#include <dtrace.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

static const char *test_name = "";
static int failures;

#define CHECK(condition)                                                                     \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      fprintf(stderr, "%s: %s:%d: not so: %s\n", test_name, __FILE__, __LINE__, #condition); \
      ++failures;                                                                            \
    }                                                                                        \
  } while (0)

/* The rest of the test makes no sense without it. */
#define REQUIRE_OK(dtp, condition)                                                      \
  do {                                                                                  \
    if (!(condition)) {                                                                 \
      fprintf(stderr, "%s: %s:%d: %s: %s\n", test_name, __FILE__, __LINE__, #condition, \
              dtrace_errmsg(dtp, dtrace_errno(dtp)));                                   \
      exit(1);                                                                          \
    }                                                                                   \
  } while (0)

#define TEST(function)     \
  do {                     \
    test_name = #function; \
    function();            \
  } while (0)

/* Fires in this process only: getpriority(2), which nothing else here calls. */
#define OURS "syscall::getpriority:entry /pid == $pid/ "
static inline void fire(int count) {
  int i;
  for (i = 0; i < count; ++i) (void)getpriority(PRIO_PROCESS, 0);
}

static inline dtrace_hdl_t *open_handle(void) {
  int error = 0;
  dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, &error);
  if (dtp == NULL) {
    fprintf(stderr, "%s: dtrace_open: %s\n", test_name, dtrace_errmsg(NULL, error));
    exit(error == DTRACE_E_PRIVILEGES ? 77 : 1);
  }
  return dtp;
}

static inline void add(dtrace_hdl_t *dtp, const char *text) {
  dtrace_prog_t *program = dtrace_program_strcompile(dtp, text, DTRACE_PROBESPEC_NAME, 0, 0, NULL);
  REQUIRE_OK(dtp, program != NULL);
  REQUIRE_OK(dtp, dtrace_program_exec(dtp, program, NULL) == 0);
}

static inline dtrace_hdl_t *start(const char *text) {
  dtrace_hdl_t *dtp = open_handle();
  add(dtp, text);
  REQUIRE_OK(dtp, dtrace_go(dtp) == 0);
  return dtp;
}

/* What buffered output came, without the blanks of its column, and a bar behind each call. */
static inline int keep_text(const dtrace_bufdata_t *data, void *arg) {
  const char *from = data->dtbda_buffered;
  size_t size;
  while (*from == ' ') ++from;
  size = strlen(from);
  while (size != 0 && from[size - 1] == ' ') --size;
  strncat((char *)arg, from, size);
  strcat((char *)arg, "|");
  return DTRACE_HANDLE_OK;
}

static inline int show_all(const dtrace_probedata_t *data, const dtrace_recdesc_t *record, void *arg) {
  (void)data, (void)arg;
  return record == NULL ? DTRACE_CONSUME_NEXT : DTRACE_CONSUME_THIS;
}

/* A process that cannot trace here is skipped, with the reason. */
static inline void skip_if_forbidden(void) {
  dtrace_hdl_t *dtp = open_handle();
  add(dtp, "BEGIN { exit(0); }");
  if (dtrace_go(dtp) != 0) {
    const char *message = dtrace_errmsg(dtp, dtrace_errno(dtp));
    const int forbidden = strstr(message, "not permitted") != NULL;
    printf("%s: %s\n", forbidden ? "skipped" : "failed", message);
    exit(forbidden ? 77 : 1);
  }
  dtrace_close(dtp);
}

#endif
