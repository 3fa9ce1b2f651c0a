#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: copies of a file, as containers have them, share its types: members of what an argument points to are read in those that
# are there at the start, in a stripped one, and in one that comes later. A program built from other sources is not taken for a copy.
# @@timeout: 60
. ./all_common.sh
exec 2>&1
chmod 755 "$tmpdir"
cat >"$tmpdir/copied.c" <<'C'
#include <stdio.h>
struct item {
  char label[8];
#ifdef OTHER
  long shelf;
#endif
  int price;
};
__attribute__((noinline)) long sell(struct item *item, int count) {
  __asm__ volatile("" : : "r"(item) : "memory");
  return (long)item->price * count;
}
int main(void) {
  struct item item = {.label = "apple", .price = 7};
  char line[64];
  while (fgets(line, sizeof line, stdin) && line[0] != 'e') {
    sell(&item, 3);
    puts("done");
    fflush(stdout);
  }
  return 0;
}
C
gcc -g -O2 -Wl,--build-id -o "$tmpdir/c1" "$tmpdir/copied.c" && cp "$tmpdir/c1" "$tmpdir/c2" && strip -o "$tmpdir/x3" "$tmpdir/c1" --keep-symbol=sell &&
  gcc -g -O2 -DOTHER -Wl,--build-id -o "$tmpdir/x1" "$tmpdir/copied.c" || exit 1
serve first "$tmpdir/c1"
serve second "$tmpdir/c2"
ask first
ask second
trace -qn "BEGIN { printf(\"ready\n\"); }
  pid*:$tmpdir/[cd]*:sell:entry { printf(\"%s of %d, %d times, in %s\n\", stringof(args.item->label), args.item->price, args.count, execname); }"
ask first
ask second
mv "$tmpdir/x3" "$tmpdir/c3"
serve third "$tmpdir/c3"
until_shown "in c3" third
mv "$tmpdir/x1" "$tmpdir/d1"
serve other "$tmpdir/d1"
until_shown "error" other
for name in first second third other; do finish $name; done
end_trace
shown | sed 's/ in dt_clause.*: /: /' | uniq
exit 0
