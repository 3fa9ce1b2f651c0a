/* SPDX-License-Identifier: Apache-2.0 */
/* dlopens [wait]: loads libm.so.6, once it has read a line if told to wait, and calls cbrt(27) of it every millisecond,
   for 30 seconds at most.
   dlopens burst | burst-wait: calls it 100 times at once instead, and ends. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

volatile double sink;

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  const int burst = strncmp(how, "burst", 5) == 0;

  if (strstr(how, "wait") && getchar() == EOF) return 1;
  void *library = dlopen("libm.so.6", RTLD_NOW);
  double (*function)(double) = library ? (double (*)(double))dlsym(library, "cbrt") : 0;

  if (!function) return 1;
  for (int i = 0; i < (burst ? 100 : 30000); i++) {
    sink = function(27);
    if (!burst) usleep(1000);
  }
  return 0;
}
