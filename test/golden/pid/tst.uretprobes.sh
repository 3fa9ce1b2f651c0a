#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: with option uretprobes a return has its value where the function ends with a jump into one that has no name: in pid*,
#   of programs that run already and of those that start later, and in a process that has an unwinder.
# @@tags: userland
. ./all_common.sh
cat >"$tmpdir/library.c" <<'C'
static __attribute__((noinline)) long inner(long n) { asm volatile(""); return n * 6; }
long dt_outer(long n) { asm volatile(""); return inner(n + 1); }
C
cat >"$tmpdir/program.c" <<'C'
#include <stdio.h>
long dt_outer(long n);
int main(void) {
  char line[64];
  while (fgets(line, sizeof line, stdin) && line[0] != 'e') {
    printf("%ld\n", dt_outer(6));
    fflush(stdout);
  }
  return 0;
}
C
cc -O2 -fno-plt -shared -fPIC -s -o "$tmpdir/libdturet.so" "$tmpdir/library.c" || exit 1
cc -O1 -o "$tmpdir/dturet" "$tmpdir/program.c" "$tmpdir/libdturet.so" "-Wl,-rpath,$tmpdir" -Wl,--no-as-needed -lgcc_s || exit 1

serve first "$tmpdir/dturet"
ask first
echo "the program says $answer"
trace -q -x uretprobes=libdturet -n 'BEGIN { printf("ready\n"); } pid*:libdturet:dt_outer:return /!seen[pid]++/ { printf("%d of %d\n", arg1, pid); }'
ask first
serve second "$tmpdir/dturet"
until_shown "of $second\$" second # the library is known some milliseconds after it has been mapped
end_trace
echo "pid*, both:"
shown | sed 's/ of [0-9]*//'
finish first
finish second

echo "pid\$target, with an unwinder, and a pragma:"
echo go | "$dtrace" -q -n '#pragma D option uretprobes=libdturet.so
  pid$target:libdturet:dt_outer:return { printf("%d\n", arg1); }' -c "$tmpdir/dturet" | sed '/^$/d' | sort -u
