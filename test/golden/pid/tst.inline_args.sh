#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: pid...:FUNCTION:inline has the call's parameters as args[], args.NAME and arg0 to arg9, and locals->; ucaller is the
# function around the call. It works in C++, in all processes, in children and in libraries that are loaded later; -lv says
# what there is and where; what cannot be had, or set, is an error that says so.
# SECTION: Providers, pid
# @@timeout: 300      @@tags: userland release
dtrace=$1
exec 2>&1
cd "$tmpdir" || exit 1
cat >args.c <<'C'
#include <dlfcn.h>
#include <stdlib.h>
#define MARKED static inline __attribute__((always_inline))
struct item { int id; struct item *next; const char *name; };
struct pair { long first, second; };
volatile long sink;
MARKED int child(signed char small, unsigned short part, struct item *item) {
  int doubled = small * 2;
  asm volatile("" : "+r"(doubled));
  sink = doubled + item->id + part;
  return doubled;
}
MARKED long by_value(struct pair pair, int last) {
  asm volatile("" : "+m"(pair));
  sink = pair.first;
  return pair.second + last;
}
MARKED void unused(int kept, int gone) { asm volatile("" : : "r"(kept)); }
__attribute__((noinline)) long parent(int n, struct item *item) {
  long sum = 0;
  for (int i = 0; i < n; i++) {
    int c = i - 2;
    asm volatile("" : "+r"(c));
    sum += child(c, 60000 + i, item);
  }
  sum += child(-7, 3, item->next);
  struct pair pair = {n, 41};
  sum += by_value(pair, 9);
  asm volatile("" : "+r"(n));
  unused(n, 5);
  return sum;
}
int main(int argc, char **argv) {
  struct item last = {7, 0, "last"}, first = {3, &last, "first"};
  parent(3, &first);
  void *handle = argc > 1 ? dlopen(argv[1], RTLD_NOW) : 0;
  if (handle)
    ((int (*)(int))dlsym(handle, "late"))(20);
  return 0;
}
C
cat >late.c <<'C'
volatile int late_sink;
static inline __attribute__((always_inline)) int of_library(int small, int other) {
  late_sink = small + other;
  return other;
}
int late(int n) { return of_library(n + 1, n) + of_library(n + 2, n + 3); }
C
cat >args.d <<'D'
pid$target:args:child:inline {
  printf("%s %s %d %d %s %s %d", probefunc, probename, args[0], args[1], stringof(args.item->name), "raw", (int)arg0);
  printf(" %d %d\n", (int)arg1, locals->item->id);
}
pid$target:args:by_value:inline { printf("last %d %d\n", args[1], arg1); }
D
first=
while read -r options; do
  $options -g -o args args.c || exit 1
  out=$("$dtrace" $dt_flags -qs args.d -c ./args 2>&1)
  if [ -z "$first" ]; then
    first=$out
    echo "$out"
  elif [ "$out" = "$first" ]; then
    echo "$options: the same"
  else
    echo "$options:"
    diff <(echo "$first") <(echo "$out")
  fi
done <<'LIST'
gcc -O2
gcc -O1
gcc -O3
gcc -O3 -gdwarf-4
LIST
gcc -O2 -g -o args args.c
echo "== caller"
"$dtrace" $dt_flags -qn 'pid$target:args:child:inline { @[ufunc(ucaller), ufunc(uregs[R_PC])] = count(); }' -c ./args | grep .
"$dtrace" $dt_flags -qn 'pid$target:args:by_value:inline { ustack(); }' -c ./args | sed -n 's/+0x.*//; s/^ *//; 1,/main/p' | grep .
echo "== lists"
"$dtrace" $dt_flags -ln 'pid$target:args::inline' -c ./args | awk 'NR > 1 { print $3, $4, $5 }'
"$dtrace" $dt_flags -lvn 'pid$target:args:child:inline' -c ./args | sed -n '/Argument Types/,$p' | sed -E 's/\<(r([a-d]x|[sd]i|[bs]p|[0-9]+)|x[0-9]+)\>/REG/g'
echo "== all processes"
cat >all.d <<D
pid*:$tmpdir/args:child:inline { @[args[0]] = count(); }
BEGIN { system("for i in 1 2 3; do ./args; done; kill -INT %d", \$pid); }
END { printa("%d %@d\n", @); }
D
"$dtrace" $dt_flags -qws all.d | grep . | sort -n
echo "== children"
"$dtrace" $dt_flags -qx follow=fork -Zn 'pid$target:args:child:inline { @[probefunc] = count(); } END { printa("%s %@d\n", @); }' \
  -c '/bin/sh -c "./args; ./args"' | grep . | sort -n
echo "== later"
gcc -O2 -g -shared -fPIC -o late.so late.c
"$dtrace" $dt_flags -qZn 'pid$target:late.so:of_library:inline { @ = count(); } END { printa("%@d\n", @); }' \
  -c './args ./late.so' | grep .
echo "== C++"
cat >shop.cc <<'C'
volatile int sink;
namespace shop {
struct Cart {
  int total = 0;
  __attribute__((always_inline)) inline void add(int price) { total += price; sink = total; }
  template <typename T> __attribute__((always_inline)) inline T scaled(T by) { sink = (int)by; return total * by; }
};
}
__attribute__((noinline)) int buy(shop::Cart *cart, int n) {
  for (int i = 0; i < n; i++) cart->add(i * 10 + 5);
  return cart->scaled(3) + (int)cart->scaled(5L);
}
int main() {
  shop::Cart cart;
  return buy(&cart, 3) == 0;
}
C
g++ -O2 -g -o shop shop.cc
"$dtrace" $dt_flags -qn 'pid$target:shop:shop::Cart::add:inline { printf("%d %d\n", args[0]->total, args[1]); }' -c ./shop | grep .
"$dtrace" $dt_flags -qn 'pid$target:shop:*Cart*scaled*:inline { @[probefunc] = count(); } END { printa("%s %@d\n", @); }' -c ./shop | grep . | sort
echo "== errors"
refused() { # FUNCTION EXPRESSION
  "$dtrace" $dt_flags -xerrtags -qn "pid\$target:args:$1:inline { trace($2); exit(0); }" -c ./args 2>&1 | sed -n '1s/^.*\(\[D_\)/\1/; 1s/pid[0-9]*/pidN/g; 1s|/[^ ]*/||g; 1p'
}
refused unused 'args[1]'
refused unused arg1
refused unused arg2
refused unused 'args[2]'
refused by_value arg0
refused by_value 'args[0].first'
refused child 'locals->nothing'
refused parent 1
refused nothing 1
gcc -O2 -o args args.c
refused child 1
exit 0
