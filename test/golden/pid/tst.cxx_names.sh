#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: names of C++ programs as their sources have them: functions in probe descriptions, types in namespaces, of templates
# and in classes, in casts, sizeof and offsetof; enumerators of enum classes; members of base classes, which a class's own
# members hide; two classes of one name in two namespaces.
# @@timeout: 60  @@tags: userland
dtrace=$1
cat >"$tmpdir/names.cpp" <<'C'
#define KEEP __attribute__((noinline))
#define SEEN(x) asm volatile("" : : "r"(x) : "memory")
namespace near {
struct Thing { int a; int here; };
}
namespace far {
struct Thing { long before; int here; };
inline namespace v2 { struct Late { char pad[3]; char last; }; }
enum class Kind : short { Small = 3, Large = 300 };
enum Plain { kFirst = 11, kSecond };
template <typename T, unsigned long N> struct Box { T items[N]; struct Lid { int open; } lid; };
struct Base { int id; int only_base; };
struct Second { int id; int second; };
struct Derived : Base, Second {
  int id;
  enum { kInside = 77 } inside = kInside;
  struct Inner { long x, y; };
  KEEP int count(const Inner &inner) const { SEEN(this); SEEN(&inner); return id; }
};
int total = 5;
KEEP void look(void *p, void *q) { SEEN(p); SEEN(q); }
KEEP int overloaded(int x) { SEEN(&x); return x; }
KEEP int overloaded(const char *x) { SEEN(x); return 1; }
}
namespace { struct Hidden { int depth; }; }
int main() {
  near::Thing n{1, 2};
  far::Thing f{3, 4};
  far::look(&n, &f);
  far::Late late{{0}, 'L'};
  far::Box<long, 3> box{{10, 20, 30}, {9}};
  far::look(&late, &box);
  far::Kind kind = far::Kind::Large;
  far::Plain plain = far::kSecond;
  Hidden hidden{8};
  far::look(&kind, &hidden);
  far::Derived d;
  d.Base::id = 1;
  d.only_base = 2;
  d.Second::id = 3;
  d.second = 4;
  d.id = 5;
  far::Derived::Inner inner{6, 7};
  d.count(inner);
  far::look(&plain, &d);
  return far::overloaded(0) + far::overloaded("") + far::total == 0;
}
C
cat >"$tmpdir/names.d" <<'D'
int calls;
pid$target:a.out:far::look:entry /++calls == 1/ {
  printf("%d %d\n", ((near::Thing *)arg0)->here, ((far::Thing *)arg1)->here);
  printf("%d %d\n", ((struct near::Thing *)arg0)->a, ((struct far::Thing *)arg1)->before);
  printf("%d %d %d\n", sizeof (near::Thing), sizeof (struct far::Thing), offsetof(far::Thing, here));
}
pid$target:a.out:far::look:entry /calls == 2/ {
  printf("%c %c\n", ((far::Late *)arg0)->last, ((far::v2::Late *)arg0)->last);
  printf("%d %d %d\n", ((far::Box<long, 3> *)arg1)->items[2], ((struct far::Box<long int, 3ul> *)arg1)->lid.open, sizeof (far::Box<long,3>));
  printf("%d\n", ((far::Box<long, 3>::Lid *)(arg1 + 24))->open);
}
pid$target:a.out:far::look:entry /calls == 3/ {
  this->kind = *(far::Kind *)arg0;
  printf("%d %d %d %d\n", this->kind, this->kind == far::Kind::Large, far::Kind::Small, ((Hidden *)arg1)->depth);
  printf("%d %d\n", (far::Kind)3 == Small, sizeof (enum far::Kind));
}
pid$target:a.out:far::Derived::count:entry {
  printf("%d %d %d %d %d %d\n", args[0]->id, args[0]->only_base, args[0]->second, ((far::Base *)args[0])->id, args[1]->y, far::Derived::kInside);
  printf("%d\n", ((far::Derived::Inner *)arg1)->x);
}
pid$target:a.out:far::look:entry /calls == 4/ {
  printf("%d %d %d\n", *(far::Plain *)arg0, far::kSecond, far::Plain::kFirst);
  printf("%d %d\n", ``far::total, a.out`far::total);
}
pid$target:a.out:far::overloaded:entry { @[probefunc] = count(); }
END { printa("%s %@d\n", @); }
D
for compiler in g++ clang++-19; do
  for options in -O0 -O2; do
    $compiler $options -g -o "$tmpdir/a.out" "$tmpdir/names.cpp" || exit 1
    out=$($dtrace $dt_flags -q -s "$tmpdir/names.d" -c "$tmpdir/a.out" 2>&1 | grep .)
    echo "== $compiler $options"
    if [ -z "${first-}" ]; then
      first=$out
      echo "$out"
    else
      diff <(echo "$first") <(echo "$out")
    fi
  done
done
echo "== errors"
refused() { # EXPRESSION
  $dtrace $dt_flags -xerrtags -q -c "$tmpdir/a.out" -n "pid\$target:a.out:far::look:entry { trace($1); }" 2>&1 |
    sed -n '1s/^.*\(\[D_\)/\1/; 1p; 3p'
}
refused '((far::Thin *)arg0)->here'
refused '((struct nowhere::Thing *)arg0)->here'
refused '((far::Box<long, 4> *)arg0)->lid'
refused 'far::Kind::Medium'
refused '((far::Derived *)arg1)->third'
