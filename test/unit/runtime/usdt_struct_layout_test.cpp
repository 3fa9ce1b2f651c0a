// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "runtime/usdt/note_layout.h"
#include "runtime/usdt/struct_layout.h"

using dtrace::runtime::first_difference;
using dtrace::runtime::note_layout;
using dtrace::runtime::StructLayout;

namespace {

StructLayout layout(std::vector<std::string> definitions, const std::string &type, bool is_64bit = true) {
  std::optional<StructLayout> found = note_layout(definitions, type, is_64bit);
  REQUIRE(found);
  return *found;
}

const StructLayout::Member &member(const StructLayout &layout, std::string_view name) {
  for (const StructLayout::Member &member : layout.members)
    if (member.name == name) return member;
  FAIL("no member " << name);
  return layout.members.front();
}

const std::string kMixed =
    "typedef struct mixed { char c; long l; long long ll; short s; int64_t i; void *p; double d[2]; "
    "struct { char x; int y; }; unsigned a : 3, b : 30; } mixed_t;";

}  // namespace

TEST_CASE("definitions are laid out for both data models", "[usdt][layout]") {
  struct Row {
    const char *name;
    uint64_t off_64, bits_64, off_32, bits_32;
  };
  // As `gcc` and `gcc -m32` lay them out.
  constexpr Row kRows[] = {
      {"c", 0, 8, 0, 8},       {"l", 64, 64, 32, 32},   {"ll", 128, 64, 64, 64},   {"s", 192, 16, 128, 16},
      {"i", 256, 64, 160, 64}, {"p", 320, 64, 224, 32}, {"d", 384, 128, 256, 128}, {"x", 512, 8, 384, 8},
      {"y", 544, 32, 416, 32}, {"a", 576, 3, 448, 3},   {"b", 608, 30, 480, 30},
  };
  const StructLayout wide = layout({kMixed}, "mixed_t"), narrow = layout({kMixed}, "struct mixed", false);
  for (const Row &row : kRows) {
    INFO(row.name);
    CHECK(member(wide, row.name).off_bits == row.off_64);
    CHECK(member(wide, row.name).bits == row.bits_64);
    CHECK(member(narrow, row.name).off_bits == row.off_32);
    CHECK(member(narrow, row.name).bits == row.bits_32);
  }
  CHECK(wide.size_bytes == 80);
  CHECK(narrow.size_bytes == 64);
}

TEST_CASE("the first member that differs is named", "[usdt][layout]") {
  const StructLayout library = layout({"struct s { int a; struct { short x, y; } in; int pad; long z; };"}, "struct s");
  CHECK_FALSE(first_difference(library, library));
  CHECK_FALSE(first_difference(
      library, layout({"struct s { int a; struct { short x, y; } in; int other; long z; int more; };"}, "struct s")));
  CHECK(first_difference(library,
                         layout({"struct s { int a; struct { short y, x; } in; int o; long z; };"}, "struct s")) ==
        "member in.x is 2 bytes at 6 in the program, 2 bytes at 4 in the library");
  CHECK(first_difference(library, layout({"struct s { int a; struct { short x, y; } in; };"}, "struct s")) ==
        "member z is 8 bytes at 16 in the library, and not in the program");
}

TEST_CASE("what the definitions do not say is nothing", "[usdt][layout]") {
  CHECK_FALSE(note_layout(std::vector<std::string>{}, "s_t", true));
  CHECK_FALSE(note_layout(std::vector<std::string>{"typedef struct { int a; int b; } s_t;"}, "t_t", true));
  CHECK_FALSE(note_layout(std::vector<std::string>{"struct s { unknown_t a; int b; };"}, "struct s", true));
  CHECK_FALSE(note_layout(std::vector<std::string>{"struct s { int"}, "struct s", true));
}
