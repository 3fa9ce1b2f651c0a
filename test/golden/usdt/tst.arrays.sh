#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: an argument that is declared as an array is a pointer to its elements, in the program's memory; they are
# there at any level of optimisation, and so is a structure that nobody but the tracer reads, by either header.
# @@tags: userland
. ./common.sh
cd "$tmpdir" || exit 1
echo 'provider arrays { probe one(char name[8], int v[4]); probe record(struct record *r); };' >arrays.d
"$dtrace" -h -s arrays.d || exit 1
cat >arrays.c <<'C'
#include <sys/sdt.h>
#include "arrays.h"
struct record { int a; long b; };
__attribute__((noinline)) static void show(int n) {
  char name[8] = "tea";
  int v[4] = {n, n + 1, -n, 7};
  struct record r;
  ARRAYS_ONE(name, v);
  r.a = n;
  r.b = n * 10L;
  ARRAYS_RECORD(&r);
  r.a = n + 1;
  r.b = n * 100L;
  DTRACE_PROBE1(arrays, plain, &r);
}
int main(void) {
  for (int i = 1; i <= 2; i++) show(i);
  return 0;
}
C
include=$(dirname "$dtrace")/../../../usdt/include
[ -d "$include" ] || include=$(dirname "$dtrace")/../include/dtrace
for compiler in gcc clang-19; do
  command -v $compiler >/dev/null || continue
  for level in -O0 -O1 -O2 -O3 -Os; do
    $compiler $level -I"$include" arrays.c -o arrays || exit 1
    "$dtrace" -q -n 'struct record { int a; long b; };
      arrays$target:::one { printf("%s %d %d %d %d\n", stringof(args[0]), args[1][0], args[1][1], args[1][2], args[1][3]); }
      arrays$target:::record { printf("%d %d\n", args[0]->a, args[0]->b); }
      arrays$target:::plain { this->r = (struct record *)copyin(arg0, sizeof (struct record));
        printf("%d %d\n", this->r->a, this->r->b); }' -c ./arrays
  done
done | sort -u
