/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opens N: opens N files, by openat(2); the first of each ten, /no/such/I, does not exist, the others are /dev/null.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 10;
  for (int i = 0; i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, i % 10 == 0 ? "/no/such/%d" : "/dev/null", i);
    openat(AT_FDCWD, name, O_RDONLY);
  }
  return 0;
}
