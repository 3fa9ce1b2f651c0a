#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a D program gives members to classes of the traced program by patterns of their names. Classes that derive from
# them have the members, parameters of the template are types, the class's own members come first, and `text` is what
# stringof() and print() show. The first definition that fits is taken; if none does, the error is the last one's.
# @@timeout: 60  @@tags: userland
dtrace=$1
cat >"$tmpdir/shop.cpp" <<'C'
namespace shop {
template <typename T> struct Money { T cents; const char *label; };
struct Price : Money<long> { int vat; };
struct Old { short amount; };
}
namespace bank { template <typename T> struct Money { T cents; }; }
__attribute__((noinline)) void pay(shop::Money<int> *m, shop::Price &p, shop::Old *o, bank::Money<int> *b) {
  asm volatile("" : : "r"(m), "r"(&p), "r"(o), "r"(b) : "memory");
}
int main() {
  shop::Money<int> m{1250, "lunch"};
  shop::Price p;
  p.cents = 700;
  p.label = "tea";
  p.vat = 0;
  shop::Old o{9};
  bank::Money<int> b{1};
  pay(&m, p, &o, &b);
}
C
g++ -g -O1 -o "$tmpdir/shop" "$tmpdir/shop.cpp" || exit 1
run() { # DEFINITIONS STATEMENTS
  printf '%s\npid$target:a.out:pay:entry { %s }\n' "$1" "$2" >"$tmpdir/shop.d"
  $dtrace $dt_flags -xerrtags -q -s "$tmpdir/shop.d" -c "$tmpdir/shop" 2>&1 | sed 's/^.*: \(\[D_\)/\1/' | grep .
}
money='translator < "shop::Money<*>" M > { euros = M.cents / 100; text = stringof(M.label); width = sizeof (T); first = *(T *)&M; cents = 0; };'
run "$money" 'printf("%d %s %d %d %d\n", args[0]->euros, stringof(args[0]), args[0]->width, args[0]->first, args[0]->cents);'
run "$money" 'printf("%d %s %d %d\n", args[1]->euros, args[1]->text, args[1]->width, args[1]->vat);'
run "$money" 'print(args[0]); print(*args[1]);'
run 'translator < "shop::Old", "shop::New" O > { value = O.sum; }; translator < "shop::Old" O > { value = O.amount; };' 'printf("%d\n", args[2]->value);'
echo "== errors"
run "$money" 'trace(args[3]->euros);'
run "$money" 'trace(args[0]->euro);'
run 'translator < "shop::Old" O > { value = O.sum; };' 'trace(args[2]->value);'
run 'translator < "shop::Old" O > { text = O.amount; };' 'trace(stringof(args[2]));'
run 'translator < "shop::Old" O > { a = 1; a = 2; };' 'trace(1);'
run 'translator < "shop::Old" O > { value = O.value; };' 'trace(args[2]->value);'
run 'translator < shop::Old O > { value = 1; };' 'trace(1);'
