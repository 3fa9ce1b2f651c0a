/* SPDX-License-Identifier: Apache-2.0 */
/* dlopens [wait]: loads libm.so.6, once it has read a line if told to wait, and calls cbrt(27) of it every millisecond,
   for 30 seconds at most. */
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

volatile double sink;

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1 && getchar() == EOF) return 1;
  void *library = dlopen("libm.so.6", RTLD_NOW);
  double (*function)(double) = library ? (double (*)(double))dlsym(library, "cbrt") : 0;

  if (!function) return 1;
  for (int i = 0; i < 30000; i++) {
    sink = function(27);
    usleep(1000);
  }
  return 0;
}
