/* SPDX-License-Identifier: Apache-2.0 */
/* syscalls N: makes N calls of lseek(12345, i, SEEK_SET), i from 0; all fail with EBADF. */
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 1;

  for (long i = 0; i < n; i++) (void)lseek(12345, i, SEEK_SET);
  return 0;
}
