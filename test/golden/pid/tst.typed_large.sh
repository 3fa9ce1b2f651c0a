#!/bin/bash
# ASSERTION: a struct that a function returns in memory is its caller's: args[1] of the return, where the convention returns
# the address as well.
# SECTION: Providers, pid
# @@tags: userland
dtrace=$1
cd "$tmpdir" || exit 1
cat >large.c <<'C'
struct large { long words[5]; };
__attribute__((noinline)) struct large make_large(long a) { asm volatile("" ::: "memory"); struct large l = {{a, a + 1, a + 2, a + 3, a + 4}}; return l; }
int main(void) { return make_large(2000).words[3] != 2003; }
C
for compiler in gcc clang-19; do
  for level in 0 1 2 3; do
    $compiler -O$level -g -o large large.c || exit 1
    "$dtrace" $dt_flags -qn 'pid$target:a.out:make_large:return { printf("%d %d\n", args[1].words[0], args[1].words[4]); }' -c ./large |
      grep .
  done
done
exit 0
