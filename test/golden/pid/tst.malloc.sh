#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: what a real program asks of malloc(), by stack and size, comes to what a library counted that stood in between:
# as many calls, and as many of each power of two.
dtrace=$1
cat >"$tmpdir/between.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
extern void *__libc_malloc(size_t), *__libc_realloc(void *, size_t);
static unsigned long buckets[65];
static void count(size_t size) {
  __atomic_fetch_add(&buckets[size == 0 ? 0 : 64 - __builtin_clzl(size)], 1, __ATOMIC_RELAXED);
}
void *malloc(size_t size) {
  count(size);
  return __libc_malloc(size);
}
void *realloc(void *old, size_t size) { // calls malloc() if there is nothing to enlarge
  if (!old) count(size);
  return __libc_realloc(old, size);
}
__attribute__((destructor)) static void tell(void) {
  unsigned long counted[65];
  for (int i = 0; i < 65; i++) counted[i] = buckets[i];
  FILE *file = fopen(getenv("COUNTED"), "w");
  for (int i = 0; i < 65; i++)
    if (counted[i]) fprintf(file, "%lu %lu\n", i == 0 ? 0 : 1ul << (i - 1), counted[i]);
  fclose(file);
}
C
cc -O1 -fno-builtin -shared -fPIC -o "$tmpdir/between.so" "$tmpdir/between.c" || exit 1
seq 5000 | sed 's/.*/& line of many/' >"$tmpdir/data"
cat >"$tmpdir/read.py" <<'P'
import sys
words = {}
for line in open(sys.argv[1]):
    for word in line.split():
        words[word] = words.get(word, 0) + len(line)
print(len(words), file=sys.stderr)
P
# The library stands in between as soon as the program proper runs, and tells before its own file is written.
$dtrace $dt_flags -q -x aggsize=32m \
  -c "env PYTHONMALLOC=malloc LD_PRELOAD=$tmpdir/between.so COUNTED=$tmpdir/counted python3 $tmpdir/read.py $tmpdir/data" -n '
pid$target:libc:malloc:entry /execname == "python3"/ { @[ustack(5)] = quantize(arg0); @all = quantize(arg0); }
pid$target:libc:fopen:entry /execname == "python3" && copyinstr(arg0) == $$1/ { exit(0); }
END { printa("stack%k%@d\n", @); printa("all%@d\n", @all); }' "$tmpdir/counted" >"$tmpdir/out" 2>"$tmpdir/err"
sums() { awk -v part="$1" '/^stack/ { in_part = part == "stack" } /^all/ { in_part = part == "all" }
  in_part && $2 ~ /^[|]/ && $NF != 0 { n[$1] += $NF } END { for (b in n) print b, n[b] }' "$tmpdir/out" | sort -n; }
for ((i = 0; i < 500; i++)); do [ -s "$tmpdir/counted" ] && break; sleep 0.02; done
sort -n "$tmpdir/counted" >"$tmpdir/wanted"
diff "$tmpdir/wanted" <(sums all) >"$tmpdir/diff" && echo "the same sizes" || cat "$tmpdir/diff" "$tmpdir/err"
diff <(sums all) <(sums stack) >/dev/null && echo "the same by stack"
[ "$(awk '{ n += $2 } END { print n }' "$tmpdir/wanted")" -gt 1000 ] && echo "thousands of calls"
[ "$(grep -c '^stack' "$tmpdir/out")" -gt 20 ] && echo "many stacks"
grep -q 'libc.so.6`malloc' "$tmpdir/out" && grep -q '`PyObject_Malloc\|python3.*`' "$tmpdir/out" && echo "with names"
