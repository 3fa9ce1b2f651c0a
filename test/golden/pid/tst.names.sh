#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: functions are found by what they are called: an alias and its original are one address under the name that was
# asked for; a symbol without a size; a function chosen when the program starts, by the name it is called by, with a pattern, too;
# C++ names as the linker has them and as their author wrote them, with their colons or ? for each. -l, probefunc and stacks
# show one name.
# @@timeout: 90
dtrace=$1
cat >"$tmpdir/names.cpp" <<'C'
namespace shop {
struct Cart {
  __attribute__((noinline)) int add(int n) const { asm volatile(""); return n + 1; }
};
template <typename T> __attribute__((noinline)) T scale(T x) { asm volatile(""); return x * 2; }
}
extern "C" {
__attribute__((noinline)) int original(int n) { asm volatile(""); return n * 3; }
int alias(int) __attribute__((alias("original")));
int without_size(int);
#ifdef __aarch64__
asm(".globl without_size\n.type without_size, %function\nwithout_size: add w0, w0, #5\nret\n");
#else
asm(".globl without_size\n.type without_size, @function\nwithout_size: lea 5(%rdi), %eax\nret\n");
#endif
__attribute__((noinline)) static int fast(int n) { asm volatile(""); return n << 1; }
typedef int (*Function)(int);
static Function resolve() { return fast; }
int chosen(int) __attribute__((ifunc("resolve")));
}
int main() {
  volatile int sum = 0;
  shop::Cart cart;
  for (int i = 0; i < 4; i++) sum += cart.add(i) + shop::scale(i) + original(i) + without_size(i) + chosen(i);
  for (int i = 0; i < 3; i++) sum += alias(i);
  return 0;
}
C
c++ -O1 -o "$tmpdir/names" "$tmpdir/names.cpp" || exit 1
count() { # DESCRIPTION ARGUMENT
  echo "$1: $($dtrace $dt_flags -q -c "$tmpdir/names" -n "pid\$target:a.out:$1 { @[probefunc] = count(); @sum = sum((int)arg${2:-0}); }
    END { printa(\"%s %@d \", @); printa(\"%@d\", @sum); }" 2>&1 | tr -d '\n')"
}
count original:entry
count alias:entry
count 'alia?:entry'
count without_size:entry
count chosen:entry
count '_ZNK4shop*add*:entry' 1
count 'shop??Cart??add*:entry' 1
count '*shop??scale*:entry'
count 'shop::Cart::add:entry' 1
count 'shop::scale*:entry'
compare() { # OPTIONS FUNCTION
  $dtrace $dt_flags $1 -q -c "$tmpdir/names" -n 'pid$target:a.out:'"$2"':entry /probefunc == "shop::Cart::add(int) const"/ { readable++; }
    pid$target:a.out:'"$2"':entry /probefunc == "_ZNK4shop4Cart3addEi"/ { raw++; @[probefunc] = count(); }
    END { printf("%d %d ", readable, raw); printa("%s\n", @); }' 2>&1 | grep .
}
compare "" 'shop::Cart::add'
compare "" '*shop*'
compare -xdemangle=no 'shop::Cart::add'
# An indirect function has the name that callers know in -l and probefunc, neither that of its resolver nor of the variant chosen.
cat >"$tmpdir/indirect.c" <<'C'
#include <string.h>
typedef int (*Function)(int);
__attribute__((noinline)) static int pick_wide(int n) { asm volatile(""); return n << 1; }
static Function pick_ifunc(void) { return pick_wide; }
int pick(int) __attribute__((ifunc("pick_ifunc")));
int main(int argc, char **argv) {
  volatile int sum = 0;
  for (int i = 0; i < 5; i++) sum += pick(i) + strlen(argv[0]);
  return 0;
}
C
cc -O1 -fno-builtin -o "$tmpdir/indirect" "$tmpdir/indirect.c" || exit 1
both() { # DESCRIPTION: in -l, and with the counts of its rows
  $dtrace $dt_flags -ln "pid\$target:a.out:$2" -c "$tmpdir/$1" | awk 'NR > 1 { $1 = $2 = $3 = ""; print "-l:" $0 }' | sed 's/  */ /g'
  $dtrace $dt_flags -q -c "$tmpdir/$1" -n "pid\$target:a.out:$2 { @[probefunc] = count(); }"' END { printa("%s %@d\n", @); }' 2>&1 | grep .
}
echo "== libc's strlen"
$dtrace $dt_flags -ln 'pid$target:libc:str*:entry' -c "$tmpdir/indirect" | awk '$4 ~ /^strlen$|ifunc/ { print $4 }'
for pattern in 'pick*' '*_wide' pick pick_wide pick_ifunc; do
  echo "== $pattern"
  both indirect "$pattern:entry"
done
# C++ functions have one name in -l and in rows; descriptions take the linker's as well.
for name in 'shop::Cart::add' _ZNK4shop4Cart3addEi '*scale*'; do
  echo "== $name"
  both names "$name:entry"
done
echo "== -xdemangle=no"
dt_flags="$dt_flags -xdemangle=no" both names 'shop::Cart::add:entry'
echo "== one name in probefunc, ustack() and ufunc()"
$dtrace $dt_flags -q -c "$tmpdir/names" -n 'pid$target:a.out:_ZNK4shop4Cart3addEi:entry /calls++ == 0/ { printf("%s\n", probefunc); ufunc(uregs[R_PC]); ustack(1); }' |
  sed 's/+0x.*//; s/^ *//; s/ *$//' | grep .
