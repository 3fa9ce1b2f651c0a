#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: arguments that are static variables have their values in a program that has been stripped, however it was compiled.
dtrace=$1
include=$PWD/../../../usdt/include
cat >"$tmpdir/stripped.c" <<'C'
#include <sys/sdt.h>
static signed char small = -3;
static unsigned short middle = 50000;
static int array[4] = {1, 2, 3, 4};
static long large = 1L << 40;
static double number = 2.5;
static const char *text = "of a variable";
int main(void) {
  for (int i = 0; i < 2; i++) {
    DTRACE_PROBE5(dtstripped, few, small, middle, array[2], large, text);
    DTRACE_PROBE7(dtstripped, many, small, middle, array[2], large, text, number, array[1]);
    small--, middle++, array[1]--, array[2]++, large++, number *= 2;
  }
  return 0;
}
C
cd "$tmpdir" || exit 1
for flags in -O0 -O2 '-O2 -static' '-O1 -fPIE -pie -fno-omit-frame-pointer'; do
  cc $flags -I"$include" -o stripped stripped.c || exit 1
  strip stripped || exit 1
  echo "== $flags"
  $dtrace $dt_flags -q -xtemporal -c ./stripped -n '
    dtstripped$target:::few { printf("few %d %d %d %d %s\n", arg0, arg1, arg2, arg3, copyinstr(arg4)); }
    dtstripped$target:::many { printf("many %d %d %d %d %s %g %d\n", args[0], args[1], args[2], args[3], copyinstr(arg4),
      args[5], args[6]); }' 2>&1 | grep .
done
