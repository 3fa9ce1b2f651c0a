/* SPDX-License-Identifier: Apache-2.0 */
/*
 * descend: main() calls outer(), outer() calls inner(), and inner() writes one byte to /dev/null.
 */
#include <fcntl.h>
#include <unistd.h>

__attribute__((noinline)) int inner(int fd) { return (int)write(fd, "x", 1); }

__attribute__((noinline)) int outer(int fd) { return inner(fd) + 1; }

int main(void) {
  int fd = open("/dev/null", O_WRONLY);

  return outer(fd) == 2 ? 0 : 1;
}
