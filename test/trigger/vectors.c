/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vectors N: calls vector_twice(i) N times and ends with status 1 if it ever computed a wrong value, 2 if the processor
 * lacks AVX. The function begins with instructions that have a VEX prefix, and has more of them.
 */
#include <stdlib.h>

long vector_twice(long value);
#ifdef __x86_64__
__asm__(
    ".globl vector_twice\n"
    ".type vector_twice, @function\n"
    "vector_twice:\n"
    "  vmovq %rdi, %xmm1\n"
    "  vpaddq %xmm1, %xmm1, %xmm2\n"
    "  mov $7, %ecx\n"
    "  vmovq %xmm2, %rax\n"
    "  ret\n"
    ".size vector_twice, . - vector_twice\n");
static int is_able(void) { return __builtin_cpu_supports("avx"); }
#else
long vector_twice(long value) { return 2 * value; }
static int is_able(void) { return 1; }
#endif

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 1;

  if (!is_able()) return 2;
  for (long i = 0; i < n; i++)
    if (vector_twice(i) != 2 * i) return 1;
  return 0;
}
