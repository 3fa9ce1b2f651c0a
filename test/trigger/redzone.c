/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redzone N: calls red_zone(i) N times and ends with status 1 if it ever computed a wrong value. The function keeps its
 * argument below the stack pointer across a 5-byte NOP at offset 5, as leaf functions may.
 */
#include <stdlib.h>

long red_zone(long value);
#ifdef __x86_64__
__asm__(
    ".globl red_zone\n"
    ".type red_zone, @function\n"
    "red_zone:\n"
    "  mov %rdi, -8(%rsp)\n"
    "  .byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
    "  mov -8(%rsp), %rax\n"
    "  add $1, %rax\n"
    "  ret\n"
    ".size red_zone, . - red_zone\n");
#else
long red_zone(long value) { return value + 1; }
#endif

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 1;

  for (long i = 0; i < n; i++)
    if (red_zone(i) != i + 1) return 1;
  return 0;
}
