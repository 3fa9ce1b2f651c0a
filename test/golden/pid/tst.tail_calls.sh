#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: in a process with coroutines, whose stacks bear no return probe of the kernel, a function that ends in a call
# through a pointer has a return probe, at the jump. A function of a list that has none is reported, and the others
# are traced; alone it is an error.
# @@tags: userland
cd "$tmpdir" || exit 1
cat >tail.c <<'C'
#include <ucontext.h>
struct ops { int (*pad)(int), (*work)(int); };
static ucontext_t here, there;
static volatile int done;
__attribute__((noinline)) static int work(int n) { done = n; return n + 1; }
/* Gives its frame back, and jumps to what it was told. */
__attribute__((noinline)) int framed(const struct ops *o, volatile int *n) {
  work(*n);
  work(*n + 1);
  return o->work(*n);
}
/* Has no frame: nothing shows that its jump is not to a place of its own. */
__attribute__((noinline)) int frameless(int n, const struct ops *o) { return o->work(n); }
static void other(void) { swapcontext(&there, &here); }
static char stack[65536];
int main(void) {
  struct ops o = {work, work};
  volatile int n = 4;
  getcontext(&there);
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = sizeof stack;
  makecontext(&there, other, 0);
  swapcontext(&here, &there);
  return framed(&o, &n) + frameless(3, &o) == 9 ? 0 : 1;
}
C
gcc -O2 -fno-ipa-icf -fno-ipa-ra tail.c -o tail || exit 1
echo "-- a jump out of a frame that was given back"
"$dtrace" -q -n 'pid$target:a.out:framed:entry { self->n++; } pid$target:a.out:framed:return { self->n--; printf("%d\n", self->n); }' \
  -c ./tail
echo "-- one of a list"
"$dtrace" -xerrtags -q -n 'pid$target:a.out:frameless:return,pid$target:a.out:framed:return { printf("%s\n", probefunc); }' \
  -c ./tail 2>&1
echo "-- alone"
"$dtrace" -xerrtags -q -n 'pid$target:a.out:frameless:return { exit(0); }' -c ./tail 2>&1
echo "status $?"
