/* SPDX-License-Identifier: Apache-2.0 */
/*
 * paths: main() calls left() 3 times and right() 5 times. Both call work(), which writes to /dev/null: 10 bytes each
 * time from left(), 0 to 4 bytes from right().
 */
#include <fcntl.h>
#include <unistd.h>

__attribute__((noinline)) long work(int fd, unsigned long bytes) { return write(fd, "0123456789", bytes) + 1; }

__attribute__((noinline)) long left(int fd) { return work(fd, 10) + 1; }

__attribute__((noinline)) long right(int fd, unsigned long bytes) { return work(fd, bytes) + 2; }

int main(void) {
  int fd = open("/dev/null", O_WRONLY);
  long sum = 0;

  for (int i = 0; i < 3; i++) sum += left(fd);
  for (unsigned long i = 0; i < 5; i++) sum += right(fd, i);
  return sum == 3 * 12 + 10 + 5 * 3 ? 0 : 1;
}
