#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: compilers pass objects of classes without members each in a way of its own, and what follows them: without
# optimisation, where debug information does not say how, such values are errors and never those of other parameters.
# @@timeout: 60  @@tags: userland
dtrace=$1
cat >"$tmpdir/empty.cpp" <<'C'
#define KEEP __attribute__((noinline))
#define SEEN(x) asm volatile("" : : "r"(x) : "memory")
struct Tag {};
struct Derived : Tag {};
KEEP int first(Tag t, int x, long y) { SEEN(&t); return x + (int)y; }
KEEP int middle(int x, Derived t, Derived u, long y) { SEEN(&t); SEEN(&u); return x + (int)y; }
int main() { return first(Tag(), 5, 6) + middle(7, Derived(), Derived(), 8) == 0; }
C
value() { # FUNCTION ARGUMENT WANTED: "right", or why there is none
  seen=$($dtrace $dt_flags -xerrtags -q -c "$tmpdir/empty" -n "pid\$target:a.out:$1:entry { trace(args[$2]); }" 2>&1 |
    sed -n '1s/^.*\(\[D_[A-Z_]*\]\).*: \(.*\)$/\1 \2/; /./p' | head -1)
  [ "$seen" = "$3" ] && seen=right
  echo "$1 args[$2]: $seen"
}
for compiler in g++ clang++-19; do
  for options in -O0 -O2; do
    echo "== $compiler $options"
    $compiler $options -g -o "$tmpdir/empty" "$tmpdir/empty.cpp" || exit 1
    value first 1 5
    value first 2 6
    value middle 0 7
    value middle 3 8
  done
done
