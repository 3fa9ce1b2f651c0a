#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: functions of C++ programs: `this` is args[0], members of base classes are found, references are followed like
# pointers, objects that are passed by the address of a copy are read there, classes in namespaces and of templates have types.
# @@timeout: 60  @@tags: userland
dtrace=$1
cat >"$tmpdir/cxx.cpp" <<'C'
namespace geo {
enum class Unit : unsigned char { Metre = 1, Mile = 200 };
struct Named {
  const char *label;
  virtual ~Named() {}
  explicit Named(const char *l) : label(l) {}
};
template <typename T> struct Box { T inside; int count; };
class Shape : public Named {
 public:
  Shape(const char *l, int w) : Named(l), width(w) {}
  __attribute__((noinline)) int scale(int factor, Unit unit) const;
  int width;
  Box<long> box{-9, 4};
};
int Shape::scale(int factor, Unit unit) const { asm volatile("" : : "r"(unit) : "memory"); return width * factor; }
struct Copied {
  Copied(long n) : number(n) {}
  Copied(const Copied &other) : number(other.number + 1) {}
  long number;
};
__attribute__((noinline)) Copied twice(int number) { asm volatile("" ::: "memory"); return Copied(number * 2); }
__attribute__((noinline)) long by_reference(const Shape &shape, int &count) { asm volatile("" ::: "memory"); return shape.width + count; }
__attribute__((noinline)) long by_copy(Copied c, int after) { asm volatile("" : : "r"(&c) : "memory"); return c.number + after; }
template <typename T> __attribute__((noinline)) T open(const Box<T> *box) { asm volatile("" ::: "memory"); return box->inside; }
}
int main() {
  geo::Shape shape("round", 21);
  int count = 5;
  geo::Copied c(70);
  long sum = shape.scale(2, geo::Unit::Mile) + geo::by_reference(shape, count) + geo::by_copy(c, 8) + geo::open(&shape.box) + geo::twice(44).number;
  return sum == 0;
}
C
cat >"$tmpdir/cxx.d" <<'D'
pid$target:a.out:*scale*:entry { printf("scale %d %s %d %d %d %d\n", args[0]->width, stringof(args[0]->label), args[1], args[2], args[2] == Mile, args[0]->box.count); }
pid$target:a.out:*scale*:entry { printf("cast %d %d\n", ((Shape *)arg0)->width, ((struct Named *)arg0)->label == args[0]->label); }
pid$target:a.out:*scale*:return { printf("returns %d\n", args[1]); }
pid$target:a.out:*by_reference*:entry { printf("reference %d %s %d\n", args[0]->width, stringof(args[0]->label), *args[1]); }
pid$target:a.out:*by_copy*:entry { printf("copy %d %d\n", args[0].number, args[1]); }
pid$target:a.out:*twice*:entry { printf("result by address %d\n", args[0]); }
pid$target:a.out:*twice*:return { printf("returned %d\n", RETURNED.number); }
pid$target:a.out:*open*:entry { printf("template %d %d\n", args[0]->inside, args[0]->count); }
D
# On arm64 only the caller knows at the return where the object is. The function gets its address in x8.
returned='args[1]'
if [ "$(uname -m)" = aarch64 ]; then
  returned='(*(Copied *)self->at)'
  sed -i '1i pid$target:a.out:*twice*:entry { self->at = uregs[R_X8]; }' "$tmpdir/cxx.d"
fi
sed -i "s/RETURNED/$returned/" "$tmpdir/cxx.d"
for options in -O0 -O2 -O3; do
  for compiler in g++ clang++-19; do
    $compiler $options -g -o "$tmpdir/cxx" "$tmpdir/cxx.cpp" || exit 1
    echo "== $compiler $options"
    out=$($dtrace $dt_flags -q -s "$tmpdir/cxx.d" -c "$tmpdir/cxx" 2>&1 | grep .)
    if [ -z "${first-}" ]; then
      first=$out
      echo "$out"
    else
      diff <(echo "$first") <(echo "$out")
    fi
  done
done
