// SPDX-License-Identifier: Apache-2.0
// Conversions and compatibility. Source: the D language reference, 2.3 to 2.7 and 4.1.
#include "frontend/types/types_compat.h"

#include <catch2/catch.hpp>

using namespace dtrace;

namespace {

struct Fixture {
  TypeTable t;
  TypeId c = t.char_type(), i = t.int_type(), u = t.integer(4, false), l = t.long_type(), ul = t.ulong_type();
  TypeId s16 = t.integer(2, true), str = t.string_type(), v = t.void_type();
  TypeId cp = t.pointer_to(c), ip = t.pointer_to(i), vp = t.pointer_to(v), user_cp = t.pointer_to(c, Space::kUser);
  TypeId scratch_ip = t.pointer_to(i, Space::kScratch);
  TypeId chars = t.array_of(c, 16), ints = t.array_of(i, 4);
  TypeId fn = t.function(i, {}, false);
  TypeId s, other, e;
  Fixture() {
    s = t.declare_tag(TagKind::kStruct, "s");
    other = t.declare_tag(TagKind::kStruct, "other");
    e = t.declare_tag(TagKind::kEnum, "e");
    const TypeTable::NewMember members[] = {{"x", i}};
    t.complete_struct(s, members);
    t.complete_struct(other, members);
    const Enumerator values[] = {{"ONE", 1}};
    t.complete_enum(e, values);
  }
  TypeId find(std::string_view name) { return *t.find(TagKind::kOrdinary, name); }
};

}  // namespace

TEST_CASE("arithmetic: greater rank wins, small types stay small", "[types][compat]") {
  Fixture f;
  const TypeTable &t = f.t;
  CHECK(arithmetic_type(t, f.c, f.c) == f.c);
  CHECK(arithmetic_type(t, f.c, f.s16) == f.s16);
  CHECK(arithmetic_type(t, f.i, f.u) == f.u);
  CHECK(arithmetic_type(t, f.u, f.l) == f.l);
  CHECK(arithmetic_type(t, f.l, f.ul) == f.ul);
  CHECK(arithmetic_type(t, f.t.long_long(true), f.l) == f.t.long_long(true));  // a tie gives the first
  CHECK(arithmetic_type(t, f.e, f.c) == f.i);
  CHECK(arithmetic_type(t, f.e, f.u) == f.u);
  CHECK(arithmetic_type(t, f.find("uint64_t"), f.i) == f.find("uint64_t"));
  CHECK(arithmetic_type(t, f.t.qualified(f.find("pid_t"), kConst), f.c) == f.find("pid_t"));
  CHECK(arithmetic_type(t, f.e) == f.i);
  CHECK(arithmetic_type(t, f.t.qualified(f.c, kVolatile)) == f.c);
  CHECK(arithmetic_type(t, kPoison, f.i) == kPoison);
  CHECK(arithmetic_rank(t, f.ul) == 65);
  CHECK(arithmetic_rank(t, f.i) == 32);
}

TEST_CASE("sameness looks through typedefs and qualifiers at every level", "[types][compat]") {
  Fixture f;
  const TypeTable &t = f.t;
  CHECK(same_type(t, f.find("int64_t"), f.l));
  CHECK(same_type(t, f.t.long_long(false), f.ul));  // the kernel's u64 and D's
  CHECK(same_type(t, f.t.pointer_to(f.t.qualified(f.c, kConst)), f.cp));
  CHECK_FALSE(same_type(t, f.cp, f.t.pointer_to(f.find("uint8_t"))));
  CHECK_FALSE(same_type(t, f.cp, f.user_cp));
  CHECK(same_type(t, f.str, f.t.string_of(5)));
  CHECK_FALSE(same_type(t, f.s, f.other));  // alike is not the same
  CHECK_FALSE(same_type(t, f.e, f.i));
  CHECK_FALSE(same_type(t, f.ints, f.t.array_of(f.i, 5)));
  CHECK(same_type(t, f.fn, f.t.function(f.v, {}, true)));
  CHECK_FALSE(same_type(t, f.t.symbol_type(true), f.t.symbol_type(false)));
  CHECK_FALSE(same_type(t, f.t.bool_type(), f.t.integer(1, false)));

  const TypeId c_forward = f.t.declare_tag(TagKind::kStruct, "s", "C");
  CHECK(same_type(t, f.t.pointer_to(c_forward), f.t.pointer_to(f.s)));  // completed from the other scope
}

TEST_CASE("arguments: text fits text whatever its space, arrays are allowed", "[types][compat]") {
  Fixture f;
  const TypeTable &t = f.t;
  const TypeId ccp = f.t.pointer_to(f.t.qualified(f.c, kConst));
  CHECK(can_pass(t, ccp, f.str));
  CHECK(can_pass(t, ccp, f.chars));
  CHECK(can_pass(t, ccp, f.user_cp));
  CHECK_FALSE(can_pass(t, ccp, f.i));
  CHECK(can_pass(t, ccp, f.i, true));
  CHECK(can_pass(t, f.ints, f.ip));
  CHECK_FALSE(can_pass(t, f.vp, f.t.pointer_to(f.i, Space::kUser)));
  CHECK(can_pass(t, f.find("size_t"), f.c));
  CHECK_FALSE(can_pass(t, f.t.symbol_type(false), f.t.symbol_type(true)));
}

TEST_CASE("casts", "[types][compat]") {
  Fixture f;
  const TypeTable &t = f.t;
  CHECK(can_cast(t, f.c, f.ul));
  CHECK(can_cast(t, f.ul, f.ip));
  CHECK(can_cast(t, f.ip, f.ul));
  CHECK(can_cast(t, f.user_cp, f.cp));
  CHECK(can_cast(t, f.ul, f.fn));
  CHECK(can_cast(t, f.ip, f.fn));
  CHECK(can_cast(t, f.cp, f.ints));
  CHECK_FALSE(can_cast(t, f.ul, f.ints));
  CHECK(can_cast(t, f.v, f.s));
  CHECK(can_cast(t, f.str, f.ul));
  CHECK(can_cast(t, f.str, f.cp));
  CHECK(can_cast(t, f.str, f.chars));
  CHECK(can_cast(t, f.str, f.str));
  CHECK_FALSE(can_cast(t, f.str, f.s));
  CHECK_FALSE(can_cast(t, f.str, f.ints));
  CHECK_FALSE(can_cast(t, f.ul, f.str));
  CHECK_FALSE(can_cast(t, f.i, f.s));
  CHECK_FALSE(can_cast(t, f.s, f.i));
  CHECK(can_cast(t, f.s, f.t.qualified(f.s, kConst)));
  CHECK_FALSE(can_cast(t, f.s, f.other));
  CHECK_FALSE(can_cast(t, f.i, f.v));
  CHECK_FALSE(can_cast(t, f.i, f.t.floating(8)));
  CHECK_FALSE(can_cast(t, f.t.floating(8), f.i));
  CHECK(can_cast(t, f.t.floating(8), f.t.floating(8)));
}

TEST_CASE("comparison: text only with a string on one side", "[types][compat]") {
  Fixture f;
  const TypeTable &t = f.t;
  CHECK(compares_as_text(t, f.str, f.cp));
  CHECK(compares_as_text(t, f.chars, f.str));
  CHECK(compares_as_text(t, f.str, f.str));
  CHECK_FALSE(compares_as_text(t, f.cp, f.cp));
  CHECK_FALSE(compares_as_text(t, f.chars, f.cp));
  CHECK(can_compare(t, f.cp, f.cp));
  CHECK(can_compare(t, f.chars, f.cp));
  CHECK(can_compare(t, f.c, f.ul));
  CHECK(can_compare(t, f.ip, f.i, false, true));
  CHECK(can_compare(t, f.i, f.ip, true, false));
  CHECK(can_compare(t, f.str, f.l, false, true));  // s == NULL
  CHECK_FALSE(can_compare(t, f.ip, f.i));
  CHECK_FALSE(can_compare(t, f.ip, f.cp));
  CHECK(can_compare(t, f.ip, f.vp));
  CHECK_FALSE(can_compare(t, f.cp, f.user_cp));
  CHECK_FALSE(can_compare(t, f.s, f.s));
  CHECK_FALSE(can_compare(t, f.str, f.i));
  CHECK_FALSE(can_compare(t, f.t.floating(8), f.t.floating(8)));
}

TEST_CASE("the common type of two arms", "[types][compat]") {
  Fixture f;
  const TypeTable &t = f.t;
  CHECK(common_type(t, f.c, f.i) == f.i);
  CHECK(common_type(t, f.e, f.e) == f.e);
  CHECK(common_type(t, f.e, f.c) == f.i);
  CHECK(common_type(t, f.t.string_of(4), f.t.string_of(9)) == f.t.string_of(9));
  CHECK(common_type(t, f.t.string_of(4), f.cp) == f.str);
  CHECK(common_type(t, f.ip, f.i, false, true) == f.ip);
  CHECK(common_type(t, f.i, f.ip, true, false) == f.ip);
  CHECK_FALSE(common_type(t, f.i, f.ip));
  CHECK(common_type(t, f.vp, f.ip) == f.ip);
  CHECK(common_type(t, f.ints, f.ip) == f.ip);
  CHECK(common_type(t, f.scratch_ip, f.ip) == f.ip);
  CHECK(common_type(t, f.s, f.s) == f.s);
  CHECK_FALSE(common_type(t, f.s, f.other));
  CHECK_FALSE(common_type(t, f.cp, f.user_cp));
  CHECK(common_type(t, kPoison, f.s) == kPoison);
}

TEST_CASE("pointers: fit, step, what they point to", "[types][compat]") {
  Fixture f;
  const TypeTable &t = f.t;
  CHECK(pointers_fit(t, f.ip, f.ip) == PointerFit::kFits);
  CHECK(pointers_fit(t, f.ip, f.cp) == PointerFit::kTargets);
  CHECK(pointers_fit(t, f.cp, f.user_cp) == PointerFit::kSpaces);
  CHECK(pointers_fit(t, f.cp, f.i) == PointerFit::kNotPointers);
  CHECK(mixes_scratch(t, f.ip, f.scratch_ip));
  CHECK_FALSE(mixes_scratch(t, f.ip, f.ip));
  CHECK(pointer_step(t, f.ip) == 4U);
  CHECK(pointer_step(t, f.t.pointer_to(f.ints)) == 16U);
  CHECK(pointer_step(t, f.str) == 1U);
  CHECK_FALSE(pointer_step(t, f.vp));
  CHECK_FALSE(pointer_step(t, f.t.pointer_to(f.fn)));
  CHECK_FALSE(pointer_step(t, f.t.pointer_to(f.t.declare_tag(TagKind::kStruct, "nosuch"))));
  CHECK_FALSE(pointer_step(t, f.i));
  CHECK(pointee(t, f.chars) == f.c);
  CHECK(unqualified(t, f.t.qualified(f.i, kConst)) == f.i);
}
