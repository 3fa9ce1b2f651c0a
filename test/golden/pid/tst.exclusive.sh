#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: of a function with an exclusive load and its store, every instruction that may have a probe has one, and those
# from the load to the store have none, so that the loop ends with the right sum.
dtrace=$1
cd "$tmpdir" || exit 1
cat >exclusive.c <<'C'
#include <stdio.h>
long add(long *to);
__asm__(".text; .globl add; .type add, %function\n"
        "add: mov x3, x0\n"
        "1: ldxr x1, [x3]\n"
        "add x1, x1, #1\n"
        "stxr w2, x1, [x3]\n"
        "cbnz w2, 1b\n"
        "mov x0, x1\n"
        "ret; .size add, .-add\n");
int main(void) {
  long sum = 0;
  for (int i = 0; i < 100; i++) add(&sum);
  printf("sum %ld\n", sum);
  return 0;
}
C
cc -O1 -o exclusive exclusive.c || exit 1
$dtrace $dt_flags -q -c ./exclusive -n 'pid$target:a.out:add: { @[probename] = count(); } END { printa("%s %@d\n", @); }' | sort
$dtrace $dt_flags -c ./exclusive -n 'pid$target:a.out:add:8 { }' 2>&1 | grep -o 'it lies between.*'
