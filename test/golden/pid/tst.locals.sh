#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: locals->name at a line or an instruction is the variable or parameter that the innermost block around it has, with
# its type and value, whatever the compiler did. What was optimised out, is not stored yet or is not in scope is an error.
# SECTION: Providers, pid
# @@timeout: 300      @@tags: userland release
dtrace=$1
exec 2>&1
cd "$tmpdir" || exit 1
cat >locals.c <<'C'
#include <stdint.h>
struct item { int id; struct item *next; const char *name; };
struct pair { long first; int second; };
volatile long sink;
#define KEEP __attribute__((noinline))
static inline __attribute__((always_inline)) int inlined(int depth, struct item *item) {
  int doubled = depth * 2;
  asm volatile("" : "+r"(doubled));
  sink = doubled + item->id; /* INLINED */
  return doubled;
}
KEEP long work(struct item *item, short weight, const char *label, unsigned char flag) { /* WORK */
  long sum = 0;
  static int calls = 40;
  char buffer[16] = "buffer";
  asm volatile("" : : "r"(buffer) : "memory");
  struct pair pair = {sum + 1, weight};
  asm volatile("" : : "r"(&pair) : "memory");
  calls++;
  for (int i = 0; i < 3; i++) {
    sum += i * weight;
    sink = sum; /* LOOP */
    if (i == 2) {
      int sum = -7;
      asm volatile("" : "+r"(sum));
      sink = sum; /* INNER */
      sink = sum + flag;
    }
  }
  sink = label[0]; /* AFTER */
  sink += inlined(weight, item);
  sink += sum;
  sink += pair.first;
  return sum + flag; /* RETURN */
}
KEEP double real(double ratio, float part, int whole) {
  sink = whole; /* REAL */
  return ratio * part;
}
KEEP long stacked(int a, int b, int c, int d, int e, int f, int g, long h) {
  sink = a; /* STACKED */
  return g + h + b + c + d + e + f;
}
KEEP int vanishing(int gone) {
  sink = gone;
  sink += real(1, 2, 3);
  sink = 6; /* GONE */
  return 0;
}
int main(void) {
  struct item last = {7, 0, "last"}, first = {3, &last, "first"};
  work(&first, -2, "label", 200);
  work(&last, 5, "other", 1);
  real(1.5, 2.5f, 9);
  stacked(1, 2, 3, 4, 5, 6, 77, -88);
  vanishing((int)sink);
  return 0;
}
C
line() { # MARK
  grep -n "/\* $1 \*/" locals.c | cut -d: -f1
}
WORK=$(line WORK) INLINED=$(line INLINED) LOOP=$(line LOOP) INNER=$(line INNER) AFTER=$(line AFTER) REAL=$(line REAL)
STACKED=$(line STACKED) GONE=$(line GONE)
cat >locals.d <<D
pid\$target:a.out:locals.c@$WORK:line {
  printf("work %d %d %s %d\n", locals->item->id, locals->weight, stringof(locals->label), locals->flag);
}
pid\$target:a.out:locals.c@$LOOP:line { printf("loop %d %d %d\n", locals->i, locals->sum, locals->weight); }
pid\$target:a.out:locals.c@$INNER:line { printf("inner %d %d %d\n", locals->sum, locals->i, locals->item->id); }
pid\$target:a.out:locals.c@$AFTER:line {
  printf("after %d %s %s %d", locals->sum, stringof(locals->buffer), stringof(locals->item->name), locals->calls);
  printf(" %d %d %d\n", locals->pair.second, locals->item->next ? locals->item->next->id : -1, locals->flag);
}
pid\$target:a.out:locals.c@$INLINED:line { printf("inlined %d %d %d\n", locals->doubled, locals->item->id, locals->weight); }
pid\$target:a.out:locals.c@$REAL:line { printf("real %d\n", locals->whole); }
pid\$target:a.out:locals.c@$STACKED:line { printf("stacked %d %d %d\n", locals->a, locals->g, locals->h); }
D
compiled() { # COMPILER OPTIONS
  "$@" -g -o locals locals.c || exit 1
}
compiled gcc -O0
"$dtrace" $dt_flags -qs locals.d -c ./locals | tee expected
for options in 'gcc -O0 -fomit-frame-pointer' 'clang-19 -O0' 'clang-19 -O0 -fomit-frame-pointer' 'gcc -O0 -gdwarf-4 -gz'; do
  compiled $options
  "$dtrace" $dt_flags -qs locals.d -c ./locals | diff expected - && echo "$options: the same"
done
# An optimiser removes variables, and makes one of what were several lines: a value is one of the right ones in their order, or it
# is refused, or a fault. Where a line's instructions are among others', it begins more than once.
# gcc for arm64 has the line LOOP in the block that has a variable sum of its own.
variables='WORK item->id,WORK weight,WORK flag,LOOP i,LOOP sum,LOOP weight,INNER sum,INNER i,INNER item->id,AFTER sum,AFTER pair.second'
variables+=',AFTER calls,AFTER flag,AFTER weight,INLINED doubled,INLINED item->id,INLINED weight,REAL whole,STACKED a,STACKED g,STACKED h'
variables+=',AFTER buffer[1],AFTER label[0]'
values() {
  while read -r mark name; do
    "$dtrace" $dt_flags -x temporal -qn "pid\$target:a.out:locals.c@${!mark}:line { printf(\"%d;\", locals->$name); }" -c ./locals 2>&1 |
      grep -v 'illegal operation' | sed -n "s/^.*is not available in [^ ]* /refused: /; s/^.*has no code in .*/refused: no code/; 1s/^/$mark $name /p"
  done < <(tr ',' '\n' <<<"$variables")
}
compiled gcc -O0
values >expected
echo "== each variable"
cat expected
for options in 'gcc -Og' 'gcc -O2' 'gcc -O3 -gdwarf-4' 'clang-19 -O1' 'clang-19 -O2' 'clang-19 -O2 -gdwarf-4 -fno-omit-frame-pointer'; do
  compiled $options
  values >got
  refused=$(grep -c refused got)
  [ "$refused" -lt 10 ] && echo "$options: most values can be had" || echo "$options: $refused are refused"
  paste -d '|' expected got | awk -F '|' '$2 !~ /refused/ {
    n = split($1, right, /[ ;]/); m = split($2, here, /[ ;]/); at = 1
    for (i = 1; i <= m; i++) { if (i > 3 && here[i] == here[i - 1]) continue; while (at <= n && right[at] != here[i]) at++; if (at > n) { print "wrong: " $2; next } at++ }
  }'
done
echo "== instructions"
compiled gcc -O0
start=$(objdump -d locals | sed -n 's/^0*\([0-9a-f]*\) <vanishing>:/\1/p')
for address in $(objdump -d --no-show-raw-insn locals | sed -n '/<vanishing>:/,/^$/s/^ *\([0-9a-f]*\):.*/\1/p'); do
  offset=$(printf %x $((0x$address - 0x$start)))
  echo "$("$dtrace" $dt_flags -xerrtags -qn "pid\$target:a.out:vanishing:$offset { trace(locals->gone); }" -c ./locals 2>&1 |
    sed -n '1s/^.*\(\[D_[A-Z]*\)/\1/; 1s/pid.*vanishing:[0-9a-f]*/an instruction/; 1p')"
done | uniq
echo "== C++: references, objects passed by reference, members of base classes"
cat >cart.cc <<'C'
#include <string>
struct Base { int id; virtual ~Base() {} };
struct Cart : Base {
  std::string name;
  int total = 0;
  __attribute__((noinline)) int add(int &price, const Cart &other, Cart copy) {
    int old = total;
    try { throw price; } catch (int caught) {
      total += caught; /* CAUGHT */
    }
    return copy.id + total + other.id + old; /* SUM */
  }
};
int main() {
  Cart a, b;
  a.id = 3, b.id = 4;
  int price = 21;
  return a.add(price, b, b) > 100;
}
C
for compiler in g++ clang++-19; do
  $compiler -g -o cart cart.cc
  "$dtrace" $dt_flags -qn "pid\$target:a.out:cart.cc@$(grep -n CAUGHT cart.cc | cut -d: -f1):line { printf(\"caught %d\n\", locals->caught); }
    pid\$target:a.out:cart.cc@$(grep -n SUM cart.cc | cut -d: -f1):line {
      printf(\"%d %d %d %d\n\", *locals->price, locals->other->id, locals->copy.id, locals->old); }" -c ./cart 2>&1 | grep '^[a-z0-9]' | sed 's/ in pid[0-9]*:/ in pidN:/'
done
echo "== errors"
refused() { # PROBE EXPRESSION
  "$dtrace" $dt_flags -xerrtags -qn "$1 { trace($2); }" -c ./locals 2>&1 | sed -n '1s/^.*\(\[D_\)/\1/; 1s/pid[0-9]*/pidN/g; 1s/ offset [0-9a-f]*/ offset N/; 1s/offsets [0-9a-f]* to [0-9a-f]*/offsets N to M/; 1p'
}
refused "pid\$target:a.out:locals.c@$LOOP:line" 'locals->nosuch'
refused "pid\$target:a.out:locals.c@$AFTER:line" 'locals->i'
refused "pid\$target:a.out:locals.c@$LOOP:line" 'locals->buffer->x'
refused "pid\$target:a.out:locals.c@$LOOP:line" 'locals'
refused "pid\$target:a.out:locals.c@$LOOP:line" 'args[0]'
refused "pid\$target:a.out:work:entry" 'locals->item'
refused "pid\$target:a.out:work:" 'locals->weight'
"$dtrace" $dt_flags -xerrtags -qZn 'pid$target:nosuch.so:x.c@3:line { trace(locals->x); }' -c ./locals 2>&1 | sed -n '1s/^.*\(\[D_\)/\1/; 1s/pid[0-9]*/pidN/g; 1p'
compiled gcc -O2
refused "pid\$target:a.out:locals.c@$GONE:line" 'locals->gone'
refused "pid\$target:a.out:locals.c@$REAL:line" 'locals->ratio'
echo "== own variables of that name"
"$dtrace" $dt_flags -qn 'BEGIN { locals = 3; trace(locals); exit(0); }'
echo
exit 0
