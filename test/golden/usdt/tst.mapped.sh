#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: the second list of a probe's declaration reorders, repeats and omits arguments, for args[] and for arg0..
# alike, at each site and in a process that starts later.
# @@tags: userland
. ./common.sh
cd "$tmpdir" || exit 1
echo 'provider mapped { probe three(int a, int b, char *c) : (string c, int b, int b, int a); };' >mapped.d
"$dtrace" -h -s mapped.d || exit 1
cat >mapped.c <<'C'
#include "mapped.h"
__attribute__((noinline)) static void registers(int a, int b, char *c) { MAPPED_THREE(a, b, c); }
__attribute__((noinline)) static void memory(int *v, char **c) { MAPPED_THREE(v[0], v[1], *c); }
int main(void) {
  int v[2] = {30, -40};
  char *text = "memory";
  registers(1, -2, "registers");
  memory(v, &text);
  MAPPED_THREE(500, -600, "constants");
  return 0;
}
C
gcc -O2 mapped.c -o mapped || exit 1
clause='{ printf("%s %d %d %d, %s %d %d %d %d\n", stringof(args[0]), args[1], args[2], args[3], copyinstr(arg0),
    (int)arg1, (int)arg2, (int)arg3, (int)arg4); }'
"$dtrace" -q -n "mapped\$target:::three $clause" -c ./mapped
echo "-- started later"
trace -Z -q -n 'mapped*:::three { printf("%s %d %d %d %d\n", copyinstr(arg0), (int)arg1, (int)arg2, (int)arg3, (int)arg4); }' \
  -n 'BEGIN { printf("ready\n"); } mapped*:::three { seen |= (int)arg3 == 1 ? 1 : (int)arg3 == 30 ? 2 : 4; }
      mapped*:::three /seen == 7/ { exit(0); }'
while kill -0 "$tracer" 2>/dev/null; do ./mapped; done
sed 1d "$out" | sort -u
