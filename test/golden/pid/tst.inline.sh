#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: pid...:FUNCTION:inline fires once for each call of the function that the compiler has inlined, also in loops that are
# unrolled or begin with the call, in loops of the function itself, and with LTO; as often as a build that inlines nothing calls it.
# Those that differ are named, and dtrace reports each: calls that begin with a loop and have lost gcc's mark, and with clang,
# which makes no marks, loops of nothing but a call, unrolled loops and merged code. A jump inside the call that leads to a mark is
# named, too.
# SECTION: Providers, pid
# @@timeout: 600      @@tags: long release userland
dtrace=$1
exec 2>&1
cd "$tmpdir" || exit 1
cat >marked.h <<'C'
#ifdef REFERENCE
#define MARKED __attribute__((noinline, noclone, noipa))
#define MARKED_MEMBER MARKED
#else
#define MARKED static inline __attribute__((always_inline))
#define MARKED_MEMBER inline __attribute__((always_inline))
#endif
#ifdef __cplusplus
extern "C" {
#endif
extern volatile long sink;
extern volatile int never;
int other(int a);
#ifdef __cplusplus
}
#endif
#ifdef REFERENCE
void in_header(int v);
#else
MARKED void in_header(int v) { sink = v; }
#endif
C
cat >calls.c <<'C'
#include <stdlib.h>
#include "marked.h"
volatile long sink;
volatile int never;
struct pair { long first, second; };
#ifdef REFERENCE
MARKED void in_header(int v) { sink = v; }
#endif
MARKED int plain(int a, const char *s) { sink = a + s[0]; return a * 2; }
MARKED int two_stores(int a) { sink = a; sink = a + 1; return a; }
MARKED long do_while(int n) { long r = 0; do { sink = n; r += n; } while (--n > 0); return r; }
MARKED long while_loop(int n) { long r = 0; while (n-- > 0) { sink = n; r += n; } return r; }
MARKED int condition(int *x) { if (--*x == 0) return 0; sink = *x; return 1; }
MARKED int tight(int *x) { sink = *x; return --*x > 0; }
MARKED int inner(int a) { sink = a; return a + 1; }
MARKED int outer(int a, struct pair p) { sink = p.first + a; return inner(a) + inner(a + p.second); }
MARKED int early(int a) { if (a & 1) return 0; sink = a; if (a & 2) return 1; sink = a + 5; return 2; }
MARKED int cases(int a) {
  switch (a) {
  case 0: sink = 11; return 5;
  case 1: sink = 21; return 7;
  case 2: sink = 8; return 1;
  case 3: sink = 99; return 42;
  case 4: sink = 32; return 4;
  default: sink = a; return a;
  }
}
MARKED void rare(int a) {
  if (__builtin_expect(a < 0, 0)) {
    sink = other(a);
    abort();
  }
  sink = a;
}
MARKED int call_first(int a) { return other(a) + 1; }
MARKED void nested_loops(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 3; j++)
      sink = i * j;
}
MARKED void fixed_loop(int a) {
  for (int i = 0; i < 100; i++)
    sink = i + a;
}
MARKED int in_cold(int a) { sink = a; return other(a); }
__attribute__((noinline)) int work(int k, int *v) {
  int r = 0;
  for (int i = 0; i < k; i++) r += plain(i, "abc");
  for (int i = 0; i < 4; i++) r += plain(i + 10, "abc");
  for (int i = 0; i < 16; i++) r += two_stores(v[i]);
  r += do_while(k);
  r += while_loop(k);
  int x = k;
  while (condition(&x)) r++;
  int y = k;
  while (tight(&y)) r += 3;
  struct pair p = {k, 3};
  r += outer(k, p);
  for (int i = 0; i < k; i++)
    if (i & 1)
      r += do_while(i);
    else
      r += early(v[i]);
  for (int i = 0; i < 8; i++) r += cases(v[i]);
  for (int i = 0; i < k; i++) rare(v[i]);
  r += call_first(r & 3);
  nested_loops(k);
  fixed_loop(k);
  if (k == 5) fixed_loop(3);
  if (__builtin_expect(never, 0)) r += in_cold(k);
  if (k > 3) {
    in_header(k);
  } else {
    in_header(k + 1);
    in_header(k + 2);
  }
  return r;
}
int main(int argc, char **argv) {
  int v[64];
  for (int i = 0; i < 64; i++) v[i] = (i * 7) % 9 + argc;
  int r = 0;
  for (int i = 1; i < 8; i++) r += work(i, v);
  never = 1;
  work(2, v);
  return r == 12345;
}
C
cat >other.c <<'C'
#include "marked.h"
int other(int a) {
  in_header(a);
  if (a > 1) in_header(a + 1);
  return a ^ 5;
}
C
cat >count.d <<'D'
pid$target:calls:plain:NAME, pid$target:calls:two_stores:NAME, pid$target:calls:do_while:NAME, pid$target:calls:while_loop:NAME,
pid$target:calls:condition:NAME, pid$target:calls:tight:NAME, pid$target:calls:inner:NAME, pid$target:calls:outer:NAME,
pid$target:calls:early:NAME, pid$target:calls:cases:NAME, pid$target:calls:rare:NAME, pid$target:calls:call_first:NAME,
pid$target:calls:nested_loops:NAME, pid$target:calls:fixed_loop:NAME, pid$target:calls:in_cold:NAME, pid$target:calls:in_header:NAME
{ @[probefunc] = count(); }
END { printa("%s %@d\n", @); }
D
counted() { # NAME
  sed "s/NAME/$1/g" count.d >one.d
  "$dtrace" $dt_flags -Zqs one.d -c ./calls 2>&1 | sed '/ set, but /d; s/pid[0-9]*:/pidN:/' | grep . | sort
}
told() { # FUNCTION
  "$dtrace" $dt_flags -n "pid\$target:calls:$1:inline { n++; }" -c ./calls 2>&1 | sed -n 's/.*calls:\(.*\):inline is set, but/\1:/p'
}
gcc -O0 -g -DREFERENCE -o calls calls.c other.c || exit 1
counted entry >expected
cat expected
# WIDER: instructions of later processors.
wider=-march=x86-64-v3
[ "$(uname -m)" = x86_64 ] || wider=-march=armv8.2-a
while read -r options; do
  ${options/WIDER/$wider} -g -o calls calls.c other.c || exit 1
  counted inline >got
  diff expected got | sed -n 's/^[<>] \([^ ]*\).*/\1/p' | sort -u >different
  names=$(tr '\n' ' ' <different)
  echo "$options: ${names:-the same}"
  for function in $names; do [ -n "$(told "$function")" ] || echo "dtrace does not tell of $function"; done
done <<'LIST'
gcc -O0
gcc -O1
gcc -O2
gcc -O2 -gdwarf-4
gcc -O3
gcc -O3 WIDER
gcc -Os
gcc -O2 -flto
gcc -O3 -flto
gcc -O2 -gsplit-dwarf
gcc -O3 -gsplit-dwarf -gdwarf-4
gcc -O2 -funroll-loops
gcc -O2 -fprofile-generate
clang-19 -O0
clang-19 -O2
clang-19 -O2 -gsplit-dwarf
clang-19 -O2 -gsplit-dwarf -gdwarf-4
clang-19 -O2 -fno-unroll-loops
clang-19 -O3 -fno-unroll-loops -flto -fuse-ld=bfd
LIST
echo "== told"
while read -r function options; do
  $options -g -o calls calls.c other.c || exit 1
  told "$function" | sed "s/^/$options: /"
done <<'LIST'
plain gcc -O2
plain gcc -O2 -flto
plain gcc -O2 -gsplit-dwarf
plain clang-19 -O2
while_loop gcc -O2 -fprofile-generate
do_while gcc -O2 -funroll-loops
LIST
exit 0
