#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: numbers of 16 bytes: long double, __int128 and _Float128 are parameters, members and results with all their bits, by
# print() and trace(); long double also by %f. In arithmetic they are an error, and what is in a vector register says so.
# @@timeout: 60  @@tags: userland
dtrace=$1
exec 2>&1
cd "$tmpdir" || exit 1
cat >prog.c <<'C'
struct wide { long double ld; __int128 i; unsigned __int128 u; _Float128 q; double d; };
volatile long sink;
__attribute__((noinline)) __int128 use(struct wide *w, long double ld, __int128 i, _Float128 q, long a, long b, long c, __int128 last) {
  __asm__ volatile("" : : "r"(w), "m"(ld), "m"(q), "m"(last), "m"(i) : "memory");
  return i + a + b + c;
}
int main(void) {
  struct wide w = {1.5L, ((__int128)-6 << 64) | 7, ((__int128)5 << 64) | 0xabc, 2.25, 3.5};
  __asm__ volatile("" : : "r"(&w) : "memory");
  return use(&w, -1234.625L, ((__int128)1 << 64) | 9, 8.25, 1, 2, 3, ((__int128)-1 << 64) | 4) == 99;
}
C
gcc -O2 -g -o prog2 prog.c && gcc -O0 -g -o prog0 prog.c || exit 1
for program in prog0 prog2; do
  echo "== $program"
  trace() {
    "$dtrace" $dt_flags "${@:2}" -qn "pid\$target:a.out:use:$1" -c ./$program 2>&1 | grep . | sed "s/pid[0-9]*/pidN/g; /^ *1* *|/d"
  }
  trace 'entry { print(*args.w); }'
  trace 'entry { printf("%f %Lf %g %.3f\n", args.ld, args.ld, args.ld, args.w->ld); trace(args.ld); }'
  trace 'entry { print(args.i); print(args.last); print(args.w->u); }'
  trace 'entry { trace(args.w->i); }'
  trace 'entry { printf("%f\n", args.w->q); }'
  trace 'return { print(args[1]); }'
  trace 'entry { @[args.ld] = count(); }'
  trace 'entry { print(args.q); }'
  trace 'entry { trace(args.i + 1); }'
  trace 'entry { print(*args.w); }' -x format=json | grep -o '"value":{.*}}'
done
exit 0
