#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a program that tests a counter of its own sees that the probe is traced also where the counter lies in
# .bss, beside the program's data.
# @@tags: userland
cd "$tmpdir" || exit 1
cat >bss.c <<'C'
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
unsigned short bss_guarded_semaphore;
int main(void) {
  int i;
  for (i = 0; i < 3; i++)
    if (*(volatile unsigned short *)&bss_guarded_semaphore) DTRACE_PROBE1(bss, guarded, i);
  return 0;
}
C
include=$(dirname "$dtrace")/../../../usdt/include
[ -d "$include" ] || include=$(dirname "$dtrace")/../include/dtrace
gcc -O2 -I"$include" bss.c -o bss || exit 1
readelf -sW bss | grep -q 'bss_guarded_semaphore' || exit 1
"$dtrace" -q -n 'bss$target:::guarded { printf("%d\n", arg0); }' -c ./bss
