#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: if a compiler has left only a specialised clone of a function, the error names the clone, which can be traced.
# @@tags: userland
. "$(dirname "$0")/../../runner/show.sh"
cat >"$tmpdir/clones.c" <<'END'
#include <stdio.h>
#define FUNCTION(name) __attribute__((noinline)) static int name(int a, int b, int c) { \
  __asm__ volatile(""); int s = 0; for (int i = 0; i < a; i++) s += b * i + c; return s; }
FUNCTION(scale)
int main(int argc, char **argv) {
  int t = 0;
  for (int i = 0; i < 10; i++) t += scale(argc + i, 7, i);
  return t == 0;
}
END
# An assembler's name, in place of what one version of a compiler or another makes.
cc -O1 -fno-ipa-cp -S -o "$tmpdir/clones.s" "$tmpdir/clones.c" || exit 1
sed -i 's/\<scale\>/scale.constprop.0/g' "$tmpdir/clones.s"
cc -o "$tmpdir/clones" "$tmpdir/clones.s" || exit 1
cd "$tmpdir" || exit 1
run -qn 'pid$target:clones:scale:entry' -c ./clones
run -qn "pid*:$tmpdir/clones:scale:entry" | sed -n "s,$tmpdir,TMP,g; /failed to lookup/p"
run -qn 'pid$target:clones:scal:entry' -c ./clones
run -qn 'pid$target:clones:scale.constprop.0:entry { @ = count(); }' -c ./clones
