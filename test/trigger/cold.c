/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cold: calls show(text) where the text lies at the end of a page of a file that was mapped and never touched, and goes
 * on in the next. Status 1 if a page was resident, 2 if it cannot tell.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

__attribute__((noinline)) void show(const char *text) { __asm__ volatile("" : : "r"(text)); }

static int is_resident(const void *address) {
  uint64_t entry = 0;
  long page = sysconf(_SC_PAGESIZE);
  int fd = open("/proc/self/pagemap", O_RDONLY);

  if (fd < 0 || pread(fd, &entry, sizeof entry, (uintptr_t)address / page * sizeof entry) != sizeof entry) return -1;
  close(fd);
  return entry >> 63;
}

int main(void) {
  static const char text[] = "never touched";
  long page = sysconf(_SC_PAGESIZE);
  FILE *file = tmpfile();

  if (!file || ftruncate(fileno(file), 2 * page) != 0) return 2;
  if (pwrite(fileno(file), text, sizeof text, page - 5) != sizeof text) return 2;
  char *memory = mmap(0, 2 * page, PROT_READ, MAP_PRIVATE, fileno(file), 0);
  if (memory == MAP_FAILED) return 2;
  for (int i = 0; i < 2; i++) {
    int resident = is_resident(memory + i * page);
    if (resident != 0) return resident < 0 ? 2 : 1;
  }
  show(memory + page - 5);
  return 0;
}
