#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: of a clone from which gcc has removed parameters, those that are passed and those that became constants are read; one whose
# value only the calls have is an error that says so.
# @@timeout: 60
dtrace=$1
exec 2>&1
cd "$tmpdir" || exit 1
cat >prog.c <<'C'
struct pair { long a, b; };
volatile long sink;
static __attribute__((noinline)) long first(struct pair *p, int n, long same) { sink = n; return p->a + n + same; }
__attribute__((noinline)) long use(struct pair *p, int k) { long r = first(p, k, 3); sink = p->b; return r + first(p, k + 1, 3) + p->b; }
int main(int c, char **v) { struct pair p = {c, 2}; return use(&p, c) == 99; }
C
gcc -O2 -g -o prog prog.c || exit 1
trace() {
  "$dtrace" $dt_flags -qn "pid\$target:prog:first.constprop.0.isra.0:entry { $1 }" -c ./prog 2>&1 | grep . | sed "s/pid[0-9]*/pidN/g; /^ *1* *|/d"
}
trace 'printf("%d %d\n", args[1], args[2]);'
trace 'trace(args[0]->b);'
exit 0
