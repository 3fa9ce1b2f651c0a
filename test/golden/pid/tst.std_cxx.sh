#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: members that libdtrace-d/std_cxx.d gives to classes of the C++ library have the values that the program prints of
# its objects: std::string of both ABIs of libstdc++ and of libc++, short, long, empty, moved from, with a NUL inside, longer
# than strsize; string_view at the end of memory and null; vector, optional, unique_ptr and shared_ptr. An object whose size
# contradicts its capacity, and the value of an empty optional, are faults.
# @@timeout: 400  @@tags: userland long
dtrace=$1
cat >"$tmpdir/std.cpp" <<'C'
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#define KEEP __attribute__((noinline))
#define SEEN(x) asm volatile("" : : "r"(&(x)) : "memory")
FILE *out;
namespace shop {
struct Item { int id; long price; };
struct Ids : std::vector<short> { using vector::vector; int extra = 0; };
struct Named { virtual ~Named() {} std::string name; std::optional<int> age; };
KEEP void text(const std::string &s) { SEEN(s); fprintf(out, "text %zu %.255s|\n", s.size(), s.c_str()); }
KEEP void copied(std::string s, int after) { SEEN(s); fprintf(out, "copied %s %d\n", s.c_str(), after); }
KEEP void view(std::string_view v, int after) { SEEN(v); fprintf(out, "view %zu %.*s %d\n", v.size(), (int)v.size(), v.data(), after); }
KEEP void numbers(const std::vector<int> &v) { SEEN(v); fprintf(out, "numbers %zu %d\n", v.size(), v.empty() ? -1 : v.back()); }
KEEP void items(std::vector<Item> *v) { SEEN(v); fprintf(out, "items %zu %d %ld\n", v->size(), (*v)[1].id, (*v)[1].price); }
KEEP void ids(const Ids &v) { SEEN(v); fprintf(out, "ids %zu %d\n", v.size(), v[2]); }
KEEP void maybe(const std::optional<int> &o) { SEEN(o); fprintf(out, "maybe %d %d\n", o.has_value(), o ? *o : -1); }
KEEP void maybe_item(std::optional<Item> *o) { SEEN(o); fprintf(out, "maybe_item %d\n", o->has_value()); if (*o) fprintf(out, "  item %d %ld\n", (*o)->id, (*o)->price); }
KEEP void owned(const std::unique_ptr<Item> &u) { SEEN(u); fprintf(out, "owned %d\n", u ? u->id : -1); }
KEEP void shared(const std::shared_ptr<Item> &s) { SEEN(s); fprintf(out, "shared %d %ld\n", s ? s->id : -1, s.use_count()); }
KEEP void named(const Named *n) { SEEN(n); fprintf(out, "named %s %zu %d\n", n->name.c_str(), n->name.size(), *n->age); }
KEEP void broken(const std::string *s) { SEEN(s); }
KEEP void empty(const std::optional<int> *o) { SEEN(o); }
}
int main(int, char **argv) {
  using namespace shop;
  out = fopen(argv[1], "w");
  text("short");
  text("fifteen letters");
  text("sixteen letters!");
  text(std::string(255, 'x'));
  text(std::string(1000, 'y'));
  text("");
  text(std::string("in\0side", 7));
  std::string gone("a text that is longer than the buffer in the object"), here = std::move(gone);
  text(gone);
  text(here);
  copied("by value", 41);
  copied("by value, longer than the buffer", 42);
  view("a view", 43);
  view(std::string_view("part of it").substr(5, 2), 44);
  view(std::string_view(), 45);
  const long page = sysconf(_SC_PAGESIZE);
  char *memory = (char *)mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(memory + page, page);
  memcpy(memory + page - 3, "end", 3);
  view(std::string_view(memory + page - 3, 3), 46);
  numbers({5, -6, 7});
  numbers({});
  std::vector<Item> two{{1, 10}, {2, -20}};
  items(&two);
  ids({7, 8, 9});
  maybe(-5);
  maybe(std::nullopt);
  std::optional<Item> none, some(Item{7, 70});
  maybe_item(&none);
  maybe_item(&some);
  owned(std::make_unique<Item>(Item{4, 44}));
  owned(nullptr);
  auto counted = std::make_shared<Item>(Item{5, 55}), again = counted;
  shared(counted);
  shared(nullptr);
  Named n;
  n.name = "Ada";
  n.age = 36;
  named(&n);
  fclose(out);
  alignas(8) unsigned char junk[64];
  memset(junk, 0xff, sizeof junk);
  broken((const std::string *)junk);
  std::optional<int> no;
  empty(&no);
}
C
cat >"$tmpdir/std.d" <<'D'
pid$target:a.out:shop::text:entry { printf("text %d %s|\n", args[0]->size, args[0]); }
pid$target:a.out:shop::copied:entry { printf("copied %s %d\n", args[0], args[1]); }
pid$target:a.out:shop::view:entry { printf("view %d %s %d\n", args[0].size, stringof(args[0]), args[1]); }
pid$target:a.out:shop::numbers:entry { printf("numbers %d %d\n", args[0]->size, args[0]->size == 0 ? -1 : args[0]->data[args[0]->size - 1]); }
pid$target:a.out:shop::items:entry { printf("items %d %d %d\n", args[0]->size, args[0]->data[1].id, args[0]->data[1].price); }
pid$target:a.out:shop::ids:entry { printf("ids %d %d\n", args[0]->size, args[0]->data[2]); }
pid$target:a.out:shop::maybe:entry { printf("maybe %d %d\n", args[0]->has_value, args[0]->has_value ? args[0]->value : -1); }
pid$target:a.out:shop::maybe_item:entry { printf("maybe_item %d\n", args[0]->has_value); }
pid$target:a.out:shop::maybe_item:entry /args[0]->has_value/ { printf("  item %d %d\n", args[0]->value.id, args[0]->value.price); }
pid$target:a.out:shop::owned:entry { printf("owned %d\n", args[0]->get == NULL ? -1 : args[0]->get->id); }
pid$target:a.out:shop::shared:entry { printf("shared %d %d\n", args[0]->get == NULL ? -1 : args[0]->get->id, args[0]->use_count); }
pid$target:a.out:shop::named:entry { printf("named %s %d %d\n", args[0]->name, args[0]->name.size, args[0]->age.value); }
pid$target:a.out:shop::broken:entry { printf("wrong: %s\n", stringof(args[0])); }
pid$target:a.out:shop::empty:entry { printf("wrong: %d\n", args[0]->value); }
ERROR { faults++; }
END { printf("faults %d\n", faults); }
D
while read -r compiler options; do
  echo "== $compiler $options"
  $compiler -std=c++17 $options -g -o "$tmpdir/std" "$tmpdir/std.cpp" || exit 1
  $dtrace $dt_flags -q -s "$tmpdir/std.d" -c "$tmpdir/std $tmpdir/expected" >"$tmpdir/seen" 2>"$tmpdir/errors"
  diff <(cat "$tmpdir/expected"; echo "faults 2") <(grep . "$tmpdir/seen") && echo equal
  grep -v 'invalid address' "$tmpdir/errors"
done <<'LIST'
g++ -O0
g++ -O2
g++ -O2 -D_GLIBCXX_USE_CXX11_ABI=0
clang++-19 -O0
clang++-19 -O2
LIST
echo "== counted"
$dtrace $dt_flags -q -x ledger=text -c "$tmpdir/std $tmpdir/expected" -n 'pid$target:a.out:shop::text:entry { @ = max(strlen(args[0]->text)); }' 2>&1 |
  awk '/cut/ { $2 = "CPU"; print }'
if clang++-19 -stdlib=libc++ -std=c++17 -g -O1 -o "$tmpdir/std" "$tmpdir/std.cpp" 2>/dev/null; then
  $dtrace $dt_flags -q -s "$tmpdir/std.d" -c "$tmpdir/std $tmpdir/expected" >"$tmpdir/seen" 2>"$tmpdir/errors"
  diff <(cat "$tmpdir/expected"; echo "faults 2") <(grep . "$tmpdir/seen") >"$tmpdir/diff" || { echo "libc++:"; cat "$tmpdir/diff"; }
fi
