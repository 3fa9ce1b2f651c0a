// SPDX-License-Identifier: Apache-2.0
// What all pieces use, and main(). The order of pieces is in the program's own file.
#include "piece.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct step {
  const char *name;
  long (*piece)(long);
  long n;
};
extern const struct step steps[];
extern const int nr_steps;

#define MAX_DEPTH 5
static int next, depth;

void say(const char *what, long value) {
  char line[128];
  const int size = snprintf(line, sizeof line, "%*s%s %ld\n", 2 * depth, "", what, value);
  for (int done = 0; done < size;) {
    const ssize_t n = write(1, line + done, (size_t)(size - done));
    if (n <= 0) _exit(99);
    done += (int)n;
  }
}

OUTLINE static long sum_of(int count, ...) {
  va_list arguments;
  va_start(arguments, count);
  long sum = 0;
  for (int i = 0; i < count; i++) sum += va_arg(arguments, long);
  va_end(arguments);
  return sum;
}

OUTLINE long mixed(long n) { return (n * 2654435761L >> 7 & 1023) + sum_of(3, n, 1L, 2L); }

long within(long n) {
  if (next == nr_steps || depth == MAX_DEPTH) return mixed(n);
  const struct step *step = &steps[next++];
  say(step->name, step->n);
  depth++;
  const long result = step->piece(step->n);
  depth--;
  say("=", result);
  return mixed(result + n);
}

int main(int argc, char **argv) {
  say("arguments", argc + (long)strlen(argv[argc - 1]));
  long sum = 0;
  while (next < nr_steps) sum = sum * 31 + within(sum & 63);
  say("sum", sum);
  say("printed", printf("%s %.3f\n", "the end", (double)(sum & 1023) / 8));
  return (int)(sum & 63);
}
