// SPDX-License-Identifier: Apache-2.0
// only: dynamic
// Functions that ask who has called them, and libraries that do.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

#include "piece.h"

OUTLINE static void *caller(void) { return __builtin_return_address(0); }
OUTLINE static void *caller_that_calls(long n) {
  mixed(n);
  return __builtin_return_address(0);
}
OUTLINE static void *caller_or_jump(long n) {
  if (n & 1) return (void *)mixed(n);
  return __builtin_return_address(0);
}

long callers(long n);
static long is_near(void *address) {  // in the program, and not in the kernel's code for return probes
  const long distance = (char *)address - (char *)callers;
  return distance > -65536 && distance < 65536;
}

OUTLINE static long next_of(const char *name) { return dlsym(RTLD_NEXT, name) == dlsym(RTLD_DEFAULT, name); }

long callers(long n) {
  say("near", is_near(caller()) + 2 * is_near(caller_that_calls(n)) + 4 * is_near(caller_or_jump(n & ~1L)));
  // RTLD_NEXT means what comes behind the file that calls dlsym().
  say("next", next_of("qsort"));
  void *library = dlopen("libm.so.6", RTLD_LAZY | RTLD_NOLOAD);
  void *other = dlopen("libm.so.6", RTLD_LAZY);
  double (*cosine)(double) = other == NULL ? NULL : (double (*)(double))dlsym(other, "cos");
  say("cosine", cosine == NULL ? -1 : (long)(cosine(0) * 100));
  say("was there", library != NULL || other != NULL);
  say("none", dlsym(RTLD_DEFAULT, "no_such_function") == NULL && dlerror() != NULL);
  Dl_info info;
  say("named", dladdr((void *)callers, &info) != 0 && info.dli_fname != NULL);
  if (other != NULL) dlclose(other);
  if (library != NULL) dlclose(library);
  return within(n);
}
