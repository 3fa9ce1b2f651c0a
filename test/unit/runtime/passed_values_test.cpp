// SPDX-License-Identifier: Apache-2.0
// Where parameters and results lie: the System V ABI for x86-64, 3.2.3, and the Procedure Call Standard for the Arm
// 64-bit Architecture, 6.8.2. What compilers do with thousands of lists of parameters is compared in test/abi.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "arch/calling_convention.h"

namespace dtrace::arch {
namespace {

using Kind = PassedPart::Kind;
using Form = PassedType::Form;
using Types = std::vector<PassedType>;

PassedType number(Kind kind, uint64_t size_bytes) {
  const auto align_bytes = static_cast<uint32_t>(size_bytes);
  return {.size_bytes = size_bytes,
          .align_bytes = align_bytes,
          .member_align_bytes = align_bytes,
          .parts = {{kind, false, 0, size_bytes * 8, align_bytes}},
          .doubt = {}};
}

/// A struct of these numbers, one behind the other as C lays them out.
PassedType record(const Types &members) {
  PassedType type;
  type.form = Form::kRecord;
  for (const PassedType &member : members) {
    type.size_bytes = (type.size_bytes + member.align_bytes - 1) / member.align_bytes * member.align_bytes;
    for (PassedPart part : member.parts) {
      part.off_bits += type.size_bytes * 8;
      type.parts.push_back(part);
    }
    type.size_bytes += member.size_bytes;
    type.align_bytes = std::max(type.align_bytes, member.align_bytes);
  }
  type.size_bytes = (type.size_bytes + type.align_bytes - 1) / type.align_bytes * type.align_bytes;
  type.member_align_bytes = type.align_bytes;
  return type;
}

PassedType joined(const Types &members) {
  PassedType type = record(members);
  type.size_bytes = 0;
  type.parts.clear();
  for (const PassedType &member : members) {
    type.size_bytes = std::max(type.size_bytes, member.size_bytes);
    type.parts.insert(type.parts.end(), member.parts.begin(), member.parts.end());
  }
  return type;
}

PassedType complex(const PassedType &part) {
  PassedType type = record({part, part});
  type.form = Form::kComplex;
  return type;
}

PassedType aligned(PassedType type, uint32_t align_bytes) {
  type.align_bytes = align_bytes;
  type.size_bytes = std::max<uint64_t>(type.size_bytes, align_bytes);
  return type;
}

const PassedType nothing,
    byte = number(Kind::kInteger, 1), integer = number(Kind::kInteger, 4), word = number(Kind::kInteger, 8),
    wide = number(Kind::kInteger, 16), small = number(Kind::kFloat, 4), real = number(Kind::kFloat, 8),
    quad = number(Kind::kFloat, 16), extended = number(Kind::kExtended, 16), vector8 = number(Kind::kVector, 8),
    vector16 = number(Kind::kVector, 16), vector32 = number(Kind::kVector, 32), vector4 = number(Kind::kVector, 4);

/// "w0 k1 s6 v ?": w a word, k a struct in registers, s one on the stack, p one that is pointed to, v in a vector
/// register, n nowhere, ? not known.
std::string text(const PassedValue &value) {
  const char place = "wkspvn?"[static_cast<size_t>(value.place)];
  CHECK((value.place == PassedValue::Place::kUnknown) == !value.reason.empty());
  return place == 'v' || place == 'n' || place == '?' ? std::string(1, place)
                                                      : place + std::to_string(value.raw_argument);
}
std::string passed(const CallingConvention &calls, const PassedType &result, const Types &types) {
  std::string all;
  for (const PassedValue &value : calls.parameters(result, types)) all += (all.empty() ? "" : " ") + text(value);
  return all;
}
std::string x86(const Types &types, const PassedType &result = nothing) { return passed(kX86_64Calls, result, types); }
std::string arm(const Types &types, const PassedType &result = nothing) { return passed(kAarch64Calls, result, types); }

}  // namespace

TEST_CASE("x86-64: numbers by their class", "[convention]") {
  CHECK(x86(Types(9, word)) == "w0 w1 w2 w3 w4 w5 w6 w7 w8");
  CHECK(x86({small, word, real, byte}) == "v w0 v w1");
  CHECK(x86({quad, word, extended, word, extended}) == "v w0 w6 w1 w8");
  CHECK(x86({wide, wide, wide, wide, word}) == "w0 w2 w4 w6 w8");
  CHECK(x86({wide, word, wide, wide, word, real}) == "w0 w2 w3 ? ? v");  // GCC leaves the last register to the next one
  Types reals(9, real);
  reals.push_back(word);
  CHECK(x86(reals) == "v v v v v v v v w6 w0");
}

TEST_CASE("x86-64: complex numbers take what their parts take", "[convention]") {
  CHECK(x86({complex(real), integer}) == "v w0");
  CHECK(x86({complex(extended), integer, word}) == "w6 w0 w1");
  CHECK(x86({complex(integer), complex(word), word}) == "w0 w1 w3");
  Types seven(7, real);
  seven.insert(seven.end(), {complex(real), complex(small), real});
  CHECK(x86(seven) == "v v v v v v v w6 v w8");
}

TEST_CASE("x86-64: structures by the classes of their eightbytes", "[convention]") {
  CHECK(x86({record({word, word}), record({integer, small}), integer}) == "k0 k2 w3");
  CHECK(x86({record({word, real}), word}) == "v w1");
  CHECK(x86({record({small, small, small}), word}) == "v w0");
  CHECK(x86({record({word, word, word}), word, record({word})}) == "s6 w0 k1");
  CHECK(x86({record({extended}), word}) == "s6 w0");
  CHECK(x86({record({quad}), record({vector16}), word}) == "v v w0");
  CHECK(x86({record({quad, quad}), word}) == "s6 w0");
  CHECK(x86({joined({real, word}), joined({real, small}), word}) == "k0 v w1");
  // An integer outdoes the x87's class, which outdoes that of SSE.
  CHECK(x86({joined({extended, wide}), word}) == "k0 w2");
  CHECK(x86({joined({extended, word}), word}) == "s6 w0");
  CHECK(x86({joined({extended, real}), word}) == "s6 w0");
}

TEST_CASE("x86-64: padding that may be an unnamed bit-field is a doubt, unless it is among integers", "[convention]") {
  CHECK(x86({record({integer, word}), record({byte, small}), word}) == "k0 k2 w3");
  CHECK(x86({record({small, real}), word}) == "? ?");
  CHECK(x86({record({real, small}), word}) == "? ?");
  CHECK(x86({aligned(record({word}), 16), word}) == "? ?");
  CHECK(x86({aligned(record({small}), 32), word}) == "s6 w0");
  CHECK(x86({record({}), word}) == "? w0");  // C's, without bytes
}

TEST_CASE("x86-64: alignment counts on the stack", "[convention]") {
  CHECK(x86({aligned(record({word, word, word, word}), 32), word, integer}) == "s6 w0 w1");
  CHECK(x86({record({word, word, word}), aligned(record({word, word, word, word}), 32), record({word, word, word}),
             extended}) == "s6 s10 s14 w18");
}

TEST_CASE("x86-64: a structure with a member that is not aligned is in memory", "[convention]") {
  PassedType packed = record({integer, integer});
  packed.parts[1].off_bits -= 8;
  CHECK(x86({packed, word}) == "s6 w0");
  packed.parts[1].is_bit_field = true;
  CHECK(x86({packed, word}) == "k0 w1");
}

TEST_CASE("x86-64: the address of a result in memory comes first", "[convention]") {
  CHECK(x86({word}, record({word, word, word})) == "w1");
  CHECK(x86({word}, record({word, word})) == "w0");
  CHECK(x86({word}, record({extended})) == "w0");
  CHECK(x86({word}, complex(extended)) == "w0");
  CHECK(x86({word}, complex(quad)) == "w1");
  CHECK(x86({word, real}, vector32) == "? v");
  CHECK(text(kX86_64Calls.result(integer)) == "w0");
  CHECK(text(kX86_64Calls.result(record({word, word}))) == "k0");
  CHECK(text(kX86_64Calls.result(record({word, word, word}))) == "p0");
  CHECK(text(kX86_64Calls.result(record({extended}))) == "v");
  CHECK(text(kX86_64Calls.result(real)) == "v");
}

TEST_CASE("x86-64: what depends on a doubt is refused, and nothing else", "[convention]") {
  // A register of SSE or memory.
  CHECK(x86({vector32, word, real, record({word, word, word}), word}) == "? w0 ? ? w1");
  CHECK(x86({vector4, word}) == "? ?");
  CHECK(x86({vector8, vector16, word}) == "v v w0");
  PassedType unknown = record({word});
  unknown.doubt = "a reason";
  CHECK(x86({word, unknown, word}) == "w0 ? ?");
  CHECK(x86({word}, unknown) == "?");
  PassedType maybe_packed = record({wide});
  maybe_packed.is_align_unsure = true;
  Types types(5, word);
  types.insert(types.end(), {maybe_packed, extended, record({word, word, word}), maybe_packed, word, word});
  CHECK(x86(types) == "w0 w1 w2 w3 w4 s6 w8 s10 ? w5 ?");
}

TEST_CASE("arm64: numbers and structures of up to 16 bytes", "[arm64][convention]") {
  CHECK(arm(Types(9, word)) == "w0 w1 w2 w3 w4 w5 w6 w7 w8");
  CHECK(arm({word, record({word, word}), word}) == "w0 k1 w3");
  CHECK(arm({word, record({word, word, word}), word}) == "w0 p1 w2");  // a copy, whose address takes a register
  CHECK(arm({word}, record({word, word, word})) == "w0");              // the result's address has a register of its own
  CHECK(arm({word, wide, word}) == "w0 w2 w4");                        // 16 bytes begin at an even register
  // Once one did not fit, no register is used any more.
  Types types(7, word);
  types.insert(types.end(), {record({word, word}), word});
  CHECK(arm(types) == "w0 w1 w2 w3 w4 w5 w6 s8 w10");
}

TEST_CASE("arm64: the alignment of members counts, that of the structure does not", "[arm64][convention]") {
  CHECK(arm({word, record({wide}), word}) == "w0 k2 w4");
  PassedType own = record({word, word});
  own.align_bytes = 16;
  CHECK(arm({word, own, word}) == "w0 k1 w3");
  Types types(9, word);
  types.push_back(record({wide}));
  CHECK(arm(types) == "w0 w1 w2 w3 w4 w5 w6 w7 w8 s10");
  PassedType maybe_packed = record({wide});
  maybe_packed.is_align_unsure = true;
  CHECK(arm({maybe_packed, word}) == "k0 w2");
  CHECK(arm({word, maybe_packed, word, real}) == "w0 ? ? v");
}

TEST_CASE("arm64: homogeneous aggregates", "[arm64][convention]") {
  const PassedType four = record({real, real, real, real}), quads = record({quad, quad});
  CHECK(arm({word, real, four, word}) == "w0 v v w1");
  CHECK(arm({four, four, real, word}) == "v v w8 w0");
  CHECK(arm({four, record({small, small, small}), record({small, small}), real, word}) == "v v s8 w9 w0");
  CHECK(arm({quads, complex(quad), complex(real), complex(small), vector8, vector16, word}) == "v v v v w8 w10 w0");
  CHECK(arm({record({real, real, real, real, real}), record({real, small}), word}) == "p0 k1 w3");
  CHECK(arm({record({vector16, vector16}), joined({record({small, small}), small}), word}) == "v v w0");
  CHECK(text(kAarch64Calls.result(four)) == "v");
  CHECK(text(kAarch64Calls.result(word)) == "w0");
  CHECK(text(kAarch64Calls.result(record({word, word}))) == "k0");
  CHECK(text(kAarch64Calls.result(record({word, word, word}))) == "n");
}

TEST_CASE("arm64: what depends on a doubt is refused", "[arm64][convention]") {
  CHECK(arm({vector32, word}) == "? ?");
  const PassedType half = number(Kind::kFloat, 2), brain = number(Kind::kBrain, 2);
  CHECK(arm({word, record({half, half}), record({half, brain}), real, word}) == "w0 v ? ? ?");
}

}  // namespace dtrace::arch
