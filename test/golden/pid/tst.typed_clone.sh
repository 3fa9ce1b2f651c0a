#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: of a clone from which gcc has removed parameters, those that are passed and those that became constants are read. One that is
# not passed is read from where the caller has it: a constant, a register, an address on its stack. The firing of a call that does not
# state the value is an error; if no call states it, the program is not compiled.
# @@timeout: 60  @@tags: userland
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
cat >prog.c <<'C'
struct pair { long a, b; };
volatile long sink;
static __attribute__((noinline)) long first(struct pair *p, int n, long tag, signed char small) { sink = n; return p->a + n; }
static __attribute__((noinline)) long second(struct pair *p, long tag) { return p->b + sink; }
__attribute__((noinline)) void keep(void *p, long k) {
#ifdef __aarch64__
  __asm__ volatile("" : : "r"(p), "r"(k) : "memory", "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12",
                   "x13", "x14", "x15", "x16", "x17");
#else
  __asm__ volatile("" : : "r"(p), "r"(k) : "memory", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11");
#endif
}
__attribute__((noinline)) long on_stack(int k) {
  struct pair p = {k, 20};
  keep(&p, 0);
  long r = first(&p, k, 7, -3);
  keep(&p, 0);
  return r;
}
__attribute__((noinline)) long in_register(struct pair *p, long k) {
  keep(p, k);
  long r = first(p, k, k, 'x');
  keep(p, k);
  return r + p->b;
}
__attribute__((noinline)) long unknown(struct pair *p, long tag) { return first(p, 3, tag, 'y') + 1; }
__attribute__((noinline)) long nobody_knows(struct pair *p, long tag) { return second(p, tag) + 1; }
int main(int c, char **v) {
  struct pair p = {c, 30};
  return on_stack(c) + in_register(&p, c + 1) + unknown(&p, 99) + nobody_knows(&p, c + 97) == 99;
}
C
gcc -O2 -g -o prog prog.c || exit 1
trace() { # messages come last
  { "$dtrace" $dt_flags -x temporal -qn "pid\$target:prog:$1*:entry { $2 }" -c ./prog 2>errors; cat errors; } | grep . |
    sed "s/pid[0-9]*/pidN/g; s/probe ID [0-9]*/probe ID N/; s/ at BPF pc .*//; /^ *1* *|/d"
}
echo "== by caller"
trace first 'printf("%d %d\n", args.n, args.small);'
trace first 'printf("%d\n", args.tag);'
trace first 'printf("%d %d\n", args[0]->a, args[0]->b);'
trace second 'trace(args.tag);'
"$dtrace" $dt_flags -lvn 'pid$target:prog:first*:entry' -c ./prog | grep 'args\['
exit 0
