#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: at the entry and at the return of a function, uregs[] has its arguments, value and address, ucaller is where it was
# called from, ustackdepth counts it and all its callers, and ustack() shows them.
dtrace=$1
. ../../runner/machine.sh
cat >"$tmpdir/deep.c" <<'C'
__attribute__((noinline)) long low(long a, long b) { __asm__ volatile("" ::: "memory"); return a * b; }
__attribute__((noinline)) long high(long n) { long m = low(n, 3); __asm__ volatile("" : "+r"(m)); return m + 1; }
__attribute__((noinline)) long higher(long n) { long m = high(n); __asm__ volatile("" : "+r"(m)); return m + 1; }
int main(void) { long m = higher(14); __asm__ volatile("" : "+r"(m)); return m != 44; }
C
cc -O1 -fno-omit-frame-pointer -o "$tmpdir/deep" "$tmpdir/deep.c" || exit 1
$dtrace $dt_flags -q -c "$tmpdir/deep" -n '
pid$target:a.out:main:entry { self->depth = ustackdepth; }
pid$target:a.out:low:entry, pid$target:a.out:low:return {
  printf("%s: %d deeper, called from ", probename, ustackdepth - self->depth);
  ufunc(ucaller);
  printf(", at ");
  ufunc(uregs[R_PC]);
  printf("\n");
  ustack(4);
}
pid$target:a.out:low:entry { printf("arguments %d %d\n", uregs['$first_register'], uregs['$second_register']); }
pid$target:a.out:low:return { printf("value %d %d\n", arg1, uregs[R_R0]); }' 2>&1 | sed 's/+0x[0-9a-f]*//; s/^ *//; s/  */ /g; s/ ,/,/; s/ $//; /^$/d'
