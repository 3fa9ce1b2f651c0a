#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: an instruction that makes a system call has no probe, and those behind it have theirs: each fires at each call, and
# the program computes what it did before.
dtrace=$1
cd "$tmpdir" || exit 1
cat >system_calls.c <<'C'
#include <stdio.h>
long number = 42;
long returns(void), reads(void), calls(void);
__asm__(".text; .globl returns, reads, calls\n"
        ".type returns, @function; returns: mov $110, %eax; syscall; ret; .size returns, .-returns\n"
        ".type reads, @function; reads: mov $110, %eax; syscall; mov number(%rip), %rax; ret; .size reads, .-reads\n"
        ".type calls, @function; calls: mov $110, %eax; syscall; call reads; ret; .size calls, .-calls\n");
int main(void) {
  long sum = 0;
  for (int i = 0; i < 10; i++) {
    returns();
    sum += reads() + calls();
  }
  printf("sum %ld\n", sum);
  return 0;
}
C
cc -O1 -o system_calls system_calls.c || exit 1
for name in returns reads calls; do
  $dtrace $dt_flags -q -c ./system_calls -n 'pid$target:a.out:'$name': { @[probefunc, probename] = count(); }
    END { printa("%s:%s %@d\n", @); }' 2>&1 | sed '/^$/d' | sort
done
$dtrace $dt_flags -c ./system_calls -n 'pid$target:a.out:returns:5 { }' 2>&1 | grep -o 'the processor executes.*'
