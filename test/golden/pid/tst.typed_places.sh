#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: -lv says where each parameter of a function is, in the processor's own registers and on its stack, as its calling
# convention has them; a structure that has a floating-point member can be read where the convention puts it into other registers.
# @@tags: userland
cat >"$tmpdir/places.c" <<'C'
#include <stdint.h>
enum color { RED = 1, GREEN };
typedef struct node { struct node *next; enum color color; } node_t;
struct pair { long first; int second; };
struct large { long words[5]; };
struct mixed { double weight; int count; };
static volatile long sink;
#define KEEP __attribute__((noinline))
KEEP uint64_t visit(node_t *n, enum color wanted, const char *label) { sink = n->color + wanted + label[0]; return sink; }
KEEP long by_value(struct pair p, struct large big, int last) { asm volatile("" : : "r"(&p), "r"(&big) : "memory"); return p.first + big.words[4] + last; }
KEEP double floats(int before, double weight, float ratio, int after) { asm volatile("" ::: "memory"); return before + weight * ratio + after; }
KEEP int mixing(struct mixed m, int after) { asm volatile("" : : "r"(&m) : "memory"); return m.count + after; }
KEEP void nothing(void (*callback)(int), int (*rows)[3]) { asm volatile("" ::: "memory"); if (callback) callback(rows[0][1]); }
KEEP long many(int a, int b, int c, int d, int e, int f, int g, long h, signed char i, short j) { asm volatile("" ::: "memory"); return a + b + c + d + e + f + g + h + i + j; }
int main(void) {
  static int rows[1][3] = {{1, 2, 3}};
  struct large big = {{10, 20, 30, 40, 50}};
  node_t n = {0, GREEN};
  long sum = visit(&n, RED, "x") + by_value((struct pair){111, -22}, big, 33) + (long)floats(1, 2.5, 0.5f, 4);
  sum += mixing((struct mixed){1.5, 77}, 5) + many(1, 2, 3, 4, 5, 6, 7, 8, -9, 10);
  nothing(0, rows);
  return (int)(sum & 1);
}
C
gcc -O2 -g -o "$tmpdir/places" "$tmpdir/places.c" || exit 1
$dtrace $dt_flags -lv -c "$tmpdir/places" -n 'pid$target:a.out:visit:entry,pid$target:a.out:visit:return,
  pid$target:a.out:by_value:entry,pid$target:a.out:floats:entry,pid$target:a.out:mixing:entry,pid$target:a.out:many:entry,
  pid$target:a.out:nothing:entry' 2>&1 | sed -n 's/^ *[0-9]* *pid[0-9]* *//p; /args\[/p' | tr -s ' \t' ' '
echo "== values"
for value in 'by_value args[1].words[4]' 'by_value args[2]' 'mixing args[0].count' 'mixing args[1]' 'many args[8]' 'many args[9]'; do
  echo "$value: $($dtrace $dt_flags -xerrtags -qc "$tmpdir/places" -n "pid\$target:a.out:${value% *}:entry { trace(${value#* }); }" 2>&1 |
    sed 's/^.*\(\[D_\)/\1/; s/pid[0-9]*/pidN/g' | grep .)"
done
exit 0
