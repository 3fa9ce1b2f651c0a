/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tagged: calls take(text, number) twice, and opens the file that the text names in between. On arm64 both pointers
 * have a tag in their top byte, which the processor ignores. Status 1 if the kernel refuses the tagged path.
 */
#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <unistd.h>

#ifndef PR_SET_TAGGED_ADDR_CTRL
#define PR_SET_TAGGED_ADDR_CTRL 55
#endif
#ifndef PR_TAGGED_ADDR_ENABLE
#define PR_TAGGED_ADDR_ENABLE 1
#endif

__attribute__((noinline)) void take(char *text, int *number) { __asm__ volatile("" : : "r"(text), "r"(number)); }

static void *tagged(void *pointer) {
#ifdef __aarch64__
  return (void *)((uintptr_t)pointer | (uintptr_t)0x2a << 56);
#else
  return pointer;
#endif
}

int main(void) {
  static char text[] = "/dev/null";
  static int number = 0x01020304;
  int fd;

  take(tagged(text), tagged(&number));
  /* The kernel takes tagged addresses of threads that asked for it. */
  if (prctl(PR_SET_TAGGED_ADDR_CTRL, PR_TAGGED_ADDR_ENABLE, 0, 0, 0) != 0) return 1;
  fd = open(tagged(text), O_RDONLY);
  if (fd < 0) return 1;
  close(fd);
  take(tagged(text), tagged(&number));
  return 0;
}
