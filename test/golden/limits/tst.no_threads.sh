#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: where no thread can be started, or only some, dtrace traces as well, or ends with an error that says so. It does not crash,
#   and what it shows is right.
# @@timeout: 120    @@tags: release
cc -shared -fPIC -O1 -o "$tmpdir/no_threads.so" no_threads.c || exit 1
cat >"$tmpdir/work.c" <<'END'
#include <stdio.h>
__attribute__((noinline)) int step(int n) { __asm__ volatile(""); return n + 1; }
int main(void) {
  int n = 0;
  for (int i = 0; i < 500; i++) n = step(n);
  return n != 500;
}
END
cc -O1 -g -o "$tmpdir/work" "$tmpdir/work.c" || exit 1
# Names of libraries that are loaded late, stacks, keys on all CPUs: what threads are for.
program='pid$target::step:entry { @n = count(); @s[ustack(1)] = count(); } pid$target:libm*::entry { } '
for threads in 0 1 2 3 4 8; do
  LD_PRELOAD=$tmpdir/no_threads.so THREADS=$threads "$dtrace" $dt_flags -qZn "$program" -x evaltime=exec -c "$tmpdir/work" >"$tmpdir/out" 2>"$tmpdir/err"
  status=$?
  counts=$(grep -oE '^ +[0-9]+$' "$tmpdir/out" | xargs)
  case $status:$counts in
    '0:500 500') echo "$threads: right" ;;
    1:*) grep -q 'thread' "$tmpdir/err" && echo "$threads: right" || cat "$tmpdir/err" ;;
    *) echo "$threads: status $status, counts $counts"; cat "$tmpdir/err" ;;
  esac
done
