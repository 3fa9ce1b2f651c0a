// SPDX-License-Identifier: Apache-2.0
// Layout of D's own structs against the compiler's, and bit-fields against what the compiler stores.
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstring>

#include "frontend/types/types.h"

using namespace dtrace;

namespace {

using NewMember = TypeTable::NewMember;

TypeId define(TypeTable &t, TagKind kind, std::initializer_list<NewMember> members, const char *name = "") {
  const TypeId id = t.declare_tag(kind, name);
  t.complete_struct(id, std::span(members.begin(), members.size()));
  return id;
}

NewMember field(std::string name, TypeId type) { return {std::move(name), type}; }
NewMember bits(std::string name, TypeId type, uint32_t width) { return {std::move(name), type, width, true}; }

uint64_t offset(const TypeTable &t, TypeId type, std::string_view name) {
  const auto member = t.find_member(type, name);
  REQUIRE(member);
  REQUIRE(member->off_bits % 8 == 0);
  return member->off_bits / 8;
}

/// First bit of bit-field `set` in an object that is zero elsewhere, as the compiler stores it.
template <typename T, typename Setter>
uint64_t first_bit(Setter set) {
  T object;
  std::memset(&object, 0, sizeof(object));
  set(object);
  unsigned char raw[sizeof(T)];
  std::memcpy(raw, &object, sizeof(object));
  for (uint64_t bit = 0; bit < sizeof(T) * 8; ++bit) {
    if ((raw[bit / 8] >> (bit % 8)) & 1) return bit;
  }
  return ~uint64_t{0};
}

struct Mixed {
  char a;
  short b;
  char c;
  long d;
  char e[3];
  int *f;
  char g;
  long double h;
  bool i;
};
struct Inner {
  char a;
  double b;
};
struct Outer {
  char a;
  Inner b[2];
  char c;
  union {
    short d;
    char e[7];
  };
};
union Either {
  char a[9];
  int b;
};
struct Tail {
  int n;
  long data[];
};
struct Fields {
  unsigned a : 3;
  unsigned b : 5;
  unsigned c : 25;
  unsigned char d : 4;
  long e : 40;
  unsigned char f;
  int g : 1;
  unsigned : 0;
  unsigned h : 2;
  unsigned short i : 9;
  unsigned short j : 9;
  unsigned long long k : 63;
};
struct Unnamed {
  char a;
  int : 5;
  char b;
};
struct OnlyZero {
  char a;
  long : 0;
  char b;
};
union FieldUnion {
  unsigned a : 3;
  unsigned short b : 9;
};
struct BoolField {
  bool a : 1;
  unsigned char b : 7;
  bool c : 1;
};

}  // namespace

TEST_CASE("ordinary members lie where the compiler puts them", "[types][layout]") {
  TypeTable t;
  const TypeId c = t.char_type();
  const TypeId mixed = define(t, TagKind::kStruct,
                              {field("a", c), field("b", t.integer(2, true)), field("c", c), field("d", t.long_type()),
                               field("e", t.array_of(c, 3)), field("f", t.pointer_to(t.int_type())), field("g", c),
                               field("h", t.floating(16)), field("i", t.bool_type())});
  CHECK(t.size_bytes(mixed) == sizeof(Mixed));
  CHECK(t.align_bytes(mixed) == alignof(Mixed));
  CHECK(offset(t, mixed, "a") == offsetof(Mixed, a));
  CHECK(offset(t, mixed, "b") == offsetof(Mixed, b));
  CHECK(offset(t, mixed, "c") == offsetof(Mixed, c));
  CHECK(offset(t, mixed, "d") == offsetof(Mixed, d));
  CHECK(offset(t, mixed, "e") == offsetof(Mixed, e));
  CHECK(offset(t, mixed, "f") == offsetof(Mixed, f));
  CHECK(offset(t, mixed, "g") == offsetof(Mixed, g));
  CHECK(offset(t, mixed, "h") == offsetof(Mixed, h));
  CHECK(offset(t, mixed, "i") == offsetof(Mixed, i));

  const TypeId inner = define(t, TagKind::kStruct, {field("a", c), field("b", t.floating(8))});
  const TypeId choice = define(t, TagKind::kUnion, {field("d", t.integer(2, true)), field("e", t.array_of(c, 7))});
  const TypeId outer =
      define(t, TagKind::kStruct, {field("a", c), field("b", t.array_of(inner, 2)), field("c", c), field("", choice)});
  CHECK(t.size_bytes(outer) == sizeof(Outer));
  CHECK(t.align_bytes(outer) == alignof(Outer));
  CHECK(offset(t, outer, "b") == offsetof(Outer, b));
  CHECK(offset(t, outer, "c") == offsetof(Outer, c));
  CHECK(offset(t, outer, "d") == offsetof(Outer, d));
  CHECK(offset(t, outer, "e") == offsetof(Outer, e));

  const TypeId either = define(t, TagKind::kUnion, {field("a", t.array_of(c, 9)), field("b", t.int_type())});
  CHECK(t.size_bytes(either) == sizeof(Either));
  CHECK(t.align_bytes(either) == alignof(Either));

  const TypeId tail =
      define(t, TagKind::kStruct, {field("n", t.int_type()), field("data", t.array_of(t.long_type(), 0))});
  CHECK(t.size_bytes(tail) == sizeof(Tail));
  CHECK(offset(t, tail, "data") == offsetof(Tail, data));

  const TypeId text =
      define(t, TagKind::kStruct, {field("n", c), field("s", t.string_type()), field("m", t.int_type())});
  CHECK(offset(t, text, "s") == 1);
  CHECK(offset(t, text, "m") == 260);
  CHECK(t.size_bytes(text) == 264);
}

TEST_CASE("bit-fields lie where the compiler puts them", "[types][layout]") {
  TypeTable t;
  const TypeId u32 = t.integer(4, false);
  const TypeId u16 = t.integer(2, false);
  const TypeId u8 = t.integer(1, false);
  const TypeId c = t.char_type();
  const TypeId fields =
      define(t, TagKind::kStruct,
             {bits("a", u32, 3), bits("b", u32, 5), bits("c", u32, 25), bits("d", u8, 4), bits("e", t.long_type(), 40),
              field("f", u8), bits("g", t.int_type(), 1), bits("", u32, 0), bits("h", u32, 2), bits("i", u16, 9),
              bits("j", u16, 9), bits("k", t.long_long(false), 63)});
  CHECK(t.size_bytes(fields) == sizeof(Fields));
  CHECK(t.align_bytes(fields) == alignof(Fields));
  auto at = [&](std::string_view name) { return t.find_member(fields, name)->off_bits; };
  CHECK(at("a") == first_bit<Fields>([](Fields &s) { s.a = 1; }));
  CHECK(at("b") == first_bit<Fields>([](Fields &s) { s.b = 1; }));
  CHECK(at("c") == first_bit<Fields>([](Fields &s) { s.c = 1; }));
  CHECK(at("d") == first_bit<Fields>([](Fields &s) { s.d = 1; }));
  CHECK(at("e") == first_bit<Fields>([](Fields &s) { s.e = 1; }));
  CHECK(at("f") == first_bit<Fields>([](Fields &s) { s.f = 1; }));
  CHECK(at("g") == first_bit<Fields>([](Fields &s) { s.g = -1; }));
  CHECK(at("h") == first_bit<Fields>([](Fields &s) { s.h = 1; }));
  CHECK(at("i") == first_bit<Fields>([](Fields &s) { s.i = 1; }));
  CHECK(at("j") == first_bit<Fields>([](Fields &s) { s.j = 1; }));
  CHECK(at("k") == first_bit<Fields>([](Fields &s) { s.k = 1; }));
  CHECK(t.members(fields).size() == 11);  // the separator is no member
  CHECK(t.find_member(fields, "c")->member.bits == 25);

  const TypeId unnamed = define(t, TagKind::kStruct, {field("a", c), bits("", t.int_type(), 5), field("b", c)});
  CHECK(t.size_bytes(unnamed) == sizeof(Unnamed));
  CHECK(t.align_bytes(unnamed) == alignof(Unnamed));
  CHECK(offset(t, unnamed, "b") == offsetof(Unnamed, b));

  const TypeId zero = define(t, TagKind::kStruct, {field("a", c), bits("", t.long_type(), 0), field("b", c)});
  CHECK(t.size_bytes(zero) == sizeof(OnlyZero));
  CHECK(t.align_bytes(zero) == alignof(OnlyZero));
  CHECK(offset(t, zero, "b") == offsetof(OnlyZero, b));

  const TypeId either = define(t, TagKind::kUnion, {bits("a", u32, 3), bits("b", u16, 9)});
  CHECK(t.size_bytes(either) == sizeof(FieldUnion));
  CHECK(t.align_bytes(either) == alignof(FieldUnion));
  CHECK(t.find_member(either, "b")->off_bits == 0);

  const TypeId flags =
      define(t, TagKind::kStruct, {bits("a", t.bool_type(), 1), bits("b", u8, 7), bits("c", t.bool_type(), 1)});
  CHECK(t.size_bytes(flags) == sizeof(BoolField));
  CHECK(t.find_member(flags, "b")->off_bits == first_bit<BoolField>([](BoolField &s) { s.b = 1; }));
  CHECK(t.find_member(flags, "c")->off_bits == first_bit<BoolField>([](BoolField &s) { s.c = true; }));
}
