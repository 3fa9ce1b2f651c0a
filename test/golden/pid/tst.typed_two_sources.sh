#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: types of one name in two sources of a program are two types, though they have the same size and line.
# @@timeout: 60  @@tags: userland
dtrace=$1
cat >"$tmpdir/one.c" <<'C'
struct item { int first; int second; };
enum kind { KIND_NONE, KIND_ONE };
__attribute__((noinline)) int one(struct item *item, enum kind kind) { asm volatile("" ::: "memory"); return item->first + kind; }
C
cat >"$tmpdir/two.c" <<'C'
struct item { int second; int first; };
enum kind { KIND_ONE, KIND_NONE };
__attribute__((noinline)) int two(struct item *item, enum kind kind) { asm volatile("" ::: "memory"); return item->first + kind; }
C
cat >"$tmpdir/main.c" <<'C'
int one(int *, int), two(int *, int);
int main(void) {
  int numbers[] = {11, 22};
  return one(numbers, 1) + two(numbers, 1) == 0;
}
C
gcc -g -O1 -o "$tmpdir/sources" "$tmpdir"/{one,two,main}.c || exit 1
$dtrace $dt_flags -q -c "$tmpdir/sources" -n 'pid$target:sources:one:entry { printf("one %d %d %s\n", args[0]->first, args.item->second, args.kind); }
  pid$target:sources:two:entry { printf("two %d %d %s\n", args[0]->first, args.item->second, args.kind); }' 2>&1
