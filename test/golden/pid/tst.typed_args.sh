#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: args[] of a function's entry have the types that the program's debug information says, and their values at any
# optimisation: integers of each width, pointers that are followed without copyin(), bit-fields, unions, arrays, enumerations
# by name, parameters on the stack, structures by value in registers and in memory. args[1] of its return is typed, too.
# Values that no probe can see are errors.
# @@timeout: 120  @@tags: userland
dtrace=$1
cat >"$tmpdir/typed.c" <<'C'
#include <stdint.h>
#include <string.h>
enum color { RED = 1, GREEN, BLUE = 200 };
typedef struct node node_t;
struct node {
  node_t *next;
  int value;
  enum color color;
  unsigned low : 3, mid : 7;
  int negative : 5;
  union {
    int as_int;
    char as_bytes[4];
  };
  struct {
    short x, y;
  } point;
  const char *name;
  uint16_t grid[2][3];
};
struct pair { long first; int second; };
struct large { long words[5]; };
struct mixed { double weight; int count; };
node_t *head;
static struct large table = {{10, 20, 30, 40, 50}};
int counter = 7;
const char *greeting = "hello";
#define KEEP __attribute__((noinline))
KEEP int visit(node_t *n, enum color wanted, const char *label) { asm volatile("" ::: "memory"); return n->value + wanted + label[0]; }
KEEP long narrow(signed char c, unsigned short s, _Bool b, uint8_t u, int64_t l) { asm volatile("" : : "r"(&c) : "memory"); return c + s + b + u + l; }
KEEP long many(int a, int b, int c, int d, int e, int f, int g, long h, signed char i) { asm volatile("" ::: "memory"); return a + b + c + d + e + f + g + h + i; }
KEEP long by_value(struct pair p, struct large big, int last) { asm volatile("" : : "r"(&p), "r"(&big) : "memory"); return p.first + p.second + big.words[4] + last; }
KEEP double floats(int before, double weight, float ratio, int after) { asm volatile("" ::: "memory"); return before + weight * ratio + after; }
KEEP int mixing(struct mixed m, int after) { asm volatile("" : : "r"(&m) : "memory"); return m.count + after; }
KEEP struct pair make_pair(long a) { asm volatile("" ::: "memory"); struct pair p = {a, (int)a + 1}; return p; }
KEEP struct large make_large(long a) { asm volatile("" ::: "memory"); struct large l = {{a, a + 1, a + 2, a + 3, a + 4}}; return l; }
KEEP signed char minus(int a) { asm volatile("" ::: "memory"); return (signed char)-a; }
KEEP node_t *second(node_t *n) { asm volatile("" ::: "memory"); return n->next; }
KEEP void nothing(void (*callback)(int), int (*rows)[3]) { asm volatile("" ::: "memory"); if (callback) callback(rows[0][1]); }
KEEP long kept(register int n, register const char *s) { asm volatile("" ::: "memory"); return n + s[0]; }
static const char *volatile labels[] = {"first", "second"};  // no copies of visit() for constants
static volatile enum color colors[] = {GREEN, RED};
int main(void) {
  static int rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
  struct node b = {0, 42, BLUE, 5, 100, -3, {.as_int = 0x64636261}, {-7, 8}, "bob", {{1, 2, 3}, {4, 5, 6}}};
  struct node a = {&b, 17, RED, 1, 2, 3, {.as_int = 0x34333231}, {9, -10}, "alice", {{7, 8, 9}, {10, 11, 12}}};
  head = &a;
  long sum = visit(&a, colors[0], labels[0]) + visit(&b, colors[1], labels[1]);
  sum += narrow(-5, 65535, 1, 200, -1234567890123);
  sum += many(1, -2, 3, -4, 5, -6, 7, -8, -9);
  struct pair p = {111, -22};
  sum += by_value(p, table, 33);
  sum += (long)floats(1, 2.5, 0.5f, 4);
  struct mixed m = {1.5, 77};
  sum += mixing(m, 5);
  sum += make_pair(1000).second + make_large(2000).words[3] + minus(3) + second(&a)->value;
  nothing(0, rows);
  sum += kept(5, greeting);
  return (int)(sum & 1);
}
C
cat >"$tmpdir/typed.d" <<'D'
pid$target:a.out:visit:entry {
  printf("visit %d %d %d %d %s %s\n", args[0]->value, args[0]->color, args[1], args[0]->color == BLUE, stringof(args[0]->name),
         stringof(args[2]));
  printf("  bits %d %d %d union %x %c point %d %d grid %d %d\n", args[0]->low, args[0]->mid, args[0]->negative, args[0]->as_int,
         args[0]->as_bytes[1], args[0]->point.x, args[0]->point.y, args[0]->grid[1][0], args[0]->grid[1][2]);
}
pid$target:a.out:visit:entry /args[0]->next != NULL/ {
  printf("  next %d %s\n", args[0]->next->value, stringof(args[0]->next->name));
  this->n = ((struct node *)arg0)->next;
  printf("  cast %d %d %d\n", this->n->value, ((node_t *)arg0)->value, sizeof (struct node));
  self->n = args[0];
}
pid$target:a.out:visit:return /self->n/ {
  printf("  returns %d %d %d\n", args[1], self->n->value, args[0] > 0);
  self->n = 0;
}
pid$target:a.out:narrow:entry { printf("narrow %d %d %d %d %d\n", args[0], args[1], args[2], args[3], args[4]); }
pid$target:a.out:many:entry {
  printf("many %d %d %d %d %d %d ", args[0], args[1], args[2], args[3], args[4], args[5]);
  printf("%d %d %d\n", args[6], args[7], args[8]);
}
pid$target:a.out:by_value:entry {
  printf("by_value %d %d %d %d %d\n", args[0].first, args[0].second, args[1].words[0], args[1].words[4], args[2]);
}
pid$target:a.out:floats:entry { printf("floats %d %d\n", args[0], args[3]); }
pid$target:a.out:mixing:entry { printf("mixing %d\n", args[1]); }
pid$target:a.out:make_pair:return { printf("pair %d %d\n", args[1].first, args[1].second); }
pid$target:a.out:minus:return { printf("minus %d\n", args[1]); }
pid$target:a.out:second:return { printf("second %d %s\n", args[1]->value, stringof(args[1]->name)); }
pid$target:a.out:nothing:entry { printf("nothing %d %d %d\n", args[0] == NULL, (*args[1])[2], args[1][1][0]); }
pid$target:a.out:kept:entry { printf("kept %d %s\n", args[0], stringof(args[1])); }
D
first=
while read -r compiler options; do
  $compiler $options -g -o "$tmpdir/typed" "$tmpdir/typed.c" || exit 1
  out=$($dtrace $dt_flags -xtemporal -q -s "$tmpdir/typed.d" -c "$tmpdir/typed" 2>&1)
  if [ -z "$first" ]; then
    first=$out
    echo "$out"
  elif [ "$out" = "$first" ]; then
    echo "$compiler $options: the same"
  else
    echo "$compiler $options:"
    diff <(echo "$first") <(echo "$out")
  fi
done <<'LIST'
gcc -O0
gcc -O1
gcc -O2
gcc -O3
gcc -O2 -gdwarf-4
gcc -Og -gz
gcc -O2 -fno-var-tracking
clang-19 -O0
clang-19 -O1
clang-19 -O2
clang-19 -O3
LIST
echo "== errors"
refused() { # PROBE EXPRESSION
  $dtrace $dt_flags -xerrtags -q -c "$tmpdir/typed" -n "pid\$target:a.out:$1 { trace($2); }" 2>&1 |
    sed -n '1s/^.*\(\[D_\)/\1/; 1s/pid[0-9]*/pidN/g; 1s/\/[^ ]*\///g; 1p'
}
refused floats:entry 'args[1]'
refused floats:return 'args[1]'
refused nothing:return 'args[1]'
refused visit:entry 'args[3]'
refused visit:entry 'args[0]->missing'
refused visit:entry '((struct nowhere *)arg0)->x'
refused visit:entry '((nowhere_t *)arg0)->x'
refused 'ma*:entry' 'args[0]'
gcc -o "$tmpdir/typed" "$tmpdir/typed.c"
refused visit:entry 'args[0]'
