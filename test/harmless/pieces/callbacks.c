// SPDX-License-Identifier: Apache-2.0
// The C library calls back: sorting, searching, walking, memory streams, atexit handlers; one leaves the sort by
// longjmp().
#define _GNU_SOURCE
#include <search.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "piece.h"

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int by_argument(const void *a, const void *b, void *sign) { return ascending(a, b) * *(int *)sign; }

static jmp_buf out;
static int compared;
static int leaves(const void *a, const void *b) {
  if (++compared == 7) longjmp(out, compared);
  return ascending(a, b);
}

static long walked;
static void visit(const void *node, VISIT which, int depth) {
  if (which == postorder || which == leaf) walked = walked * 3 + **(int *const *)node + depth;
}

static ssize_t cookie_write(void *cookie, const char *text, size_t size) {
  *(long *)cookie += (long)strnlen(text, size);
  return (ssize_t)size;
}

static void at_exit(void) { say("at exit", mixed(3)); }

long callbacks(long n) {
  int numbers[20], sign = -1;
  for (int i = 0; i < 20; i++) numbers[i] = (int)((n + i) * 7919 % 101);
  qsort(numbers, 20, sizeof numbers[0], ascending);
  const int *found = bsearch(&numbers[5], numbers, 20, sizeof numbers[0], ascending);
  say("found", found == NULL ? -1 : *found);
  qsort_r(numbers, 20, sizeof numbers[0], by_argument, &sign);
  say("largest", numbers[0]);

  compared = 0;
  const int came = setjmp(out);
  if (came == 0) qsort(numbers, 20, sizeof numbers[0], leaves);
  say("left after", came);

  void *root = NULL;
  walked = 0;
  for (int i = 0; i < 8; i++) tsearch(&numbers[i], &root, ascending);
  twalk(root, visit);
  tdestroy(root, (void (*)(void *))mixed);
  say("walked", walked);

  long written = 0;
  FILE *file = fopencookie(&written, "w", (cookie_io_functions_t){.write = cookie_write});
  if (file != NULL) {
    fprintf(file, "%s %ld %5.2f", "text", n, (double)n / 3);
    fclose(file);
  }
  say("written", written);

  static int registered;
  if (!registered++) atexit(at_exit);
  return within(n);
}
