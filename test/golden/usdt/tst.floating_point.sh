#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: floating-point arguments of static probes are doubles in D, whatever the compiler does with them: printf(),
# trace(), print() and keys show them; argN holds the bits of the double. The definition file is not needed for that.
# @@tags: userland
. ./common.sh
cd "$tmpdir" || exit 1
cat >wave.d <<'D'
provider wave { probe sample(double value, const float gain, int n); probe late(float); };
D
"$dtrace" -h -s wave.d || exit 1
cat >wave.c <<'C'
#include <sys/sdt.h>
#include "wave.h"
struct sample { int n; double value; float gain; };
__attribute__((noinline)) static void by_value(double value, float gain, int n) {
  WAVE_SAMPLE(value, gain, n);
  DTRACE_PROBE3(plain, sample, value, gain, n);
}
__attribute__((noinline)) static void by_address(const struct sample *s) {
  WAVE_SAMPLE(s->value, s->gain, s->n);
  DTRACE_PROBE3(plain, sample, s->value, s->gain, s->n);
}
int main(void) {
  struct sample s = {2, -1e300, 1e-40f};
  by_value(3.25, 0.5f, 1);
  by_address(&s);
  WAVE_SAMPLE(1.5, 2.5f, 3);
  DTRACE_PROBE3(plain, sample, 1.5, 2.5f, 3);
  return 0;
}
C
include=$(dirname "$dtrace")/../../../usdt/include
[ -d "$include" ] || include=$(dirname "$dtrace")/../include/dtrace
for compiler in gcc clang-19; do
  command -v $compiler >/dev/null || compiler=gcc
  for level in -O0 -O2; do
    $compiler $level -I"$include" wave.c -o wave || exit 1
    for provider in wave plain; do
      "$dtrace" -q -n "$provider\$target:::sample { printf(\"%d %g %f %e %.3g %x\n\", args[2], args[0], args[1], args[0], args[1],
          arg0); }" -c ./wave
    done | md5sum
  done
done | sort -u | wc -l
echo "-- one of them"
"$dtrace" -q -n 'wave$target:::sample { printf("%d %g %f %e %.3g %x\n", args[2], args[0], args[1], args[0], args[1], arg0); }' -c ./wave
echo "-- other uses"
"$dtrace" -q -n 'wave$target:::sample /args[2] == 1/ { trace(args[0]); trace("|"); trace(args[1]); printf("\n"); }
  wave$target:::sample { @[args[0], args[1]] = count(); }' -c ./wave
echo "-- not for integers, and no arithmetic"
"$dtrace" -xerrtags -q -n 'wave$target:::sample { printf("%d", args[0]); }' -c ./wave 2>&1 | grep -o 'D_[A-Z_]*'
"$dtrace" -xerrtags -q -n 'wave$target:::sample { trace(args[0] + 1); }' -c ./wave 2>&1 | grep -o 'D_[A-Z_]*'
"$dtrace" -xerrtags -xstrict -q -n 'wave$target:::sample { printf("%f", arg0); }' -c ./wave 2>&1 | grep -o 'D_[A-Z_]*'
echo "-- in a process that starts later"
# One clause: another one may be attached to a site of a late process a firing later.
trace -Z -q -n 'BEGIN { printf("ready\n"); }
  plain*:::sample { printf("%x %x %d\n", arg0, arg1, (int)arg2); seen |= 1 << (int)arg2; }' \
  -n 'plain*:::sample /seen == 14/ { exit(0); }'
while kill -0 "$tracer" 2>/dev/null; do ./wave; done
sed 1d "$out" | sort -u
