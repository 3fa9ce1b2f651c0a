#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: pid* probes the functions of 64-bit and 32-bit programs side by side, with the arguments of each, and the
# function that an indirect one stands for.
. ./all_common.sh
cat >"$tmpdir/narrow.c" <<'C'
#include <string.h>
__attribute__((noinline)) int dt_product(int a, int b) { asm volatile(""); return a * b; }
int main(int argc, char **argv) {
  volatile unsigned long sum = 0;
  for (int i = 0; i < 3; i++) sum += dt_product(6, 7);
  for (int i = 0; i < 4; i++) sum += strlen(argv[0] + (sum & 1));
  return 0;
}
C
cc -m32 -O1 -o "$tmpdir/dtnarrow" "$tmpdir/narrow.c" || exit 1
cc -O1 -fno-builtin -o "$tmpdir/dtwide" "$tmpdir/narrow.c" || exit 1
trace -q -n 'BEGIN { printf("ready\n"); }
  pid*:'"$tmpdir"'/dt*:dt_product:entry { @calls[execname, arg0, arg1] = count(); }
  pid*:'"$tmpdir"'/dt*:dt_product:return { @returns[execname, arg1] = count(); }
  pid*:libc:strlen:entry /execname == "dtwide" && basename(copyinstr(arg0)) == "dtwide"/ { @length[probefunc] = count(); }
  END { printa("%s(%d, %d) %@d\n", @calls); printa("%s = %d %@d\n", @returns); printa("%s %@d\n", @length); }'
"$tmpdir/dtnarrow"
"$tmpdir/dtwide"
end_trace
shown | sed 's/strlen [4-9]$/strlen, each call/'
