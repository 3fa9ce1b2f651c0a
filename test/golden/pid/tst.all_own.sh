#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: malloc() of all processes is counted by program and stack, and they go on unharmed; dtrace's own calls, also those
# that its output makes, are not traced. @@timeout: 120
. ./all_common.sh
. ../../runner/ranges.sh
cat >"$tmpdir/allocates.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) void *allocates(int n) { void *p = malloc(n); asm volatile("" : "+r"(p)); return p; }
int main(void) {
  char line[16];
  while (fgets(line, sizeof line, stdin) && line[0] != 'e') {
    unsigned long sum = 0;
    for (int i = 0; i < 2000; i++) {
      char *p = allocates(i % 100 + 1);
      p[0] = i;
      sum += (unsigned char)p[0];
      free(p);
    }
    printf("sum %lu\n", sum);
    fflush(stdout);
  }
  return 0;
}
C
cc -O1 -rdynamic -o "$tmpdir/dtallocates" "$tmpdir/allocates.c" || exit 1
trace -q -x aggsortpos=0 -n 'BEGIN { printf("ready\n"); }
  pid*:libc:malloc:entry { @programs[execname] = count(); @all[execname, ustack(2)] = count(); }
  pid*:libc:malloc:entry { printf("x\n"); } /* apart: a busy machine drops rows, and with a row what its clause counts */
  pid*:libc:malloc:entry /execname == "dtallocates" && ustackdepth > 2 && !whole/ { whole = 1; printf("whole\n"); }
  pid*:libc:malloc:return { @returns[execname] = count(); }
  pid*:libc:malloc:entry,pid*:libc:malloc:return,pid*:libc:syscall:entry,pid*:libc:free:entry /pid == $pid/ { @own = count(); }
  END { printa("of %s: %@d calls\n", @programs); printa("of %s: %@d returns\n", @returns); printa("stack %s %k %@d\n", @all);
    printa("own %@d\n", @own); }'
serve allocates "$tmpdir/dtallocates"
rounds=0
# The unwind rules of a process are there soon after it has begun; its first fgets() allocates, too, and may already find them.
while ask allocates && rounds=$((rounds + 1)) && ! grep -q whole "$out"; do :; done
echo "$answer"
finish allocates
for ((i = 0; i < 20; i++)); do ls -l / >/dev/null; done
python3 -c 'print(sum(len(str(i)) for i in range(20000)))'
end_trace
shown >"$tmpdir/shown"
grep '^own' "$tmpdir/shown"
grep -E '^of dtallocates' "$tmpdir/shown" |
  awk -v calls=$((rounds * 2000)) '{ print $1, $2, $4, ($3 >= calls && $3 < calls + 20 ? "are right" : $3 " of " calls) }'
grep -c '^of [a-z]' "$tmpdir/shown" | sed 's/^/programs /' | ranges 'programs 4..'
sed -n '/^stack dtallocates/,$p' "$out" | grep -A2 'malloc' | grep -oE 'dtallocates`allocates' | sort -u
exit 0
