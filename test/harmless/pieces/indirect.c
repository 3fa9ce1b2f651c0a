// SPDX-License-Identifier: Apache-2.0
// Functions that the linker or the loader chooses: resolvers of IFUNC, constructors, and weak and versioned names.
#include <string.h>

#include "piece.h"

static long chosen_a(long n) { return n * 11; }
static long (*resolve_chosen(void))(long) { return chosen_a; }
long chosen(long n) __attribute__((ifunc("resolve_chosen")));

static long constructed;
__attribute__((constructor)) static void construct(void) { constructed = 5; }
__attribute__((destructor)) static void destruct(void) { say("destructed", constructed); }
__attribute__((weak)) long absent(long n);

long indirect(long n) {
  char text[64], copy[64];
  memset(text, 'x', sizeof text);
  text[n % 60 + 1] = 0;
  strcpy(copy, text);
  say("chosen", chosen(n) + constructed + (absent == NULL ? 1 : 0));
  say("length", (long)strlen(copy) + (memchr(copy, 0, sizeof copy) != NULL) + (strcmp(text, copy) == 0));
  return within(n);
}
