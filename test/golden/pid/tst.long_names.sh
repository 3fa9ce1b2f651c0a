#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a program that computes with probefunc knows names as long as those of C++ may be, those of a library that is
# loaded later as well; that it does not know the whole of one is reported.
# @@tags: userland
dtrace=$1
long=f$(printf 'x%.0s' {1..400})
longer=f$(printf 'y%.0s' {1..600})
late=f$(printf 'z%.0s' {1..400})
cat >"$tmpdir/program.c" <<C
#include <dlfcn.h>
#include <unistd.h>
__attribute__((noinline)) void $long(void) { __asm__ volatile(""); }
__attribute__((noinline)) void $longer(void) { __asm__ volatile(""); }
int main(int argc, char **argv) {
  $long();
  $longer();
  void (*late)(void) = (void (*)(void))dlsym(dlopen(argv[1], RTLD_NOW), "$late");
  for (alarm(30); argc > 2; usleep(1000)) late();
  return 0;
}
C
echo "void $late(void) { __asm__ volatile(\"\"); }" >"$tmpdir/library.c"
cc -O1 -o "$tmpdir/program" "$tmpdir/program.c" -ldl || exit 1
cc -O1 -shared -fPIC -o "$tmpdir/late.so" "$tmpdir/library.c" || exit 1
trace() { # PATTERN NAME MORE: what is done more; the program then calls until it is ended
  $dtrace $dt_flags -qZ -x strsize=1024 -c "$tmpdir/program $tmpdir/late.so $3" -n 'pid$target::'"$1*"':entry {
      @[strlen(probefunc), probefunc == $$1, strjoin(probefunc, "") == $$1] = min(1); '"$3"' }
    END { printa("%d %d %d\n", @); }' "$2" 2>&1 | sed "s/[0-9]*:program:fy*:entry/N:program:...:entry/" | grep .
}
trace fxxx $long
trace fyyy $longer
trace fzzz $late 'exit(0)'
