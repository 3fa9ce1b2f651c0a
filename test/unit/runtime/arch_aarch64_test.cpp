// SPDX-License-Identifier: Apache-2.0
// What is known of arm64, on any host: instructions by the words that binutils makes of the text beside them.
#include <elf.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "arch/machine.h"
#include "arch/machine_code.h"
#include "frontend/types/types.h"
#include "runtime/probes/providers/calling_convention.h"

namespace dtrace::runtime {
namespace {

using arch::DecodedCode;
using arch::Instruction;
using Kind = Instruction::Kind;
using Words = std::initializer_list<uint32_t>;

constexpr uint64_t kAddress = 0x1000;

std::vector<std::byte> bytes_of(Words words) {
  std::vector<std::byte> bytes(words.size() * 4);
  if (!bytes.empty()) std::memcpy(bytes.data(), words.begin(), bytes.size());
  return bytes;
}

DecodedCode decode(Words words) { return arch::kAarch64Code.decode(true, bytes_of(words), kAddress); }

Instruction one(uint32_t word) {
  const DecodedCode decoded = decode({word});
  REQUIRE(decoded.instructions.size() == 1);
  return decoded.instructions[0];
}
Instruction last(Words words) { return decode(words).instructions.back(); }

/// A letter for each instruction: '.' one that may have a probe, 'x' one between an exclusive load and its store, '!'
/// one that the kernel refuses.
std::string hazards(Words words) {
  const std::vector<std::byte> code = bytes_of(words);
  const DecodedCode decoded = arch::kAarch64Code.decode(true, code, kAddress);
  std::string text;
  for (const std::string_view reason : arch::kAarch64Code.hazards(true, code, kAddress, decoded.instructions))
    text += reason.empty() ? '.' : reason.find("between") != std::string_view::npos ? 'x' : '!';
  return text;
}

}  // namespace

TEST_CASE("arm64: kinds of instructions and where branches lead to", "[arm64]") {
  CHECK(one(0x94000002).kind == Kind::kCall);          // bl .+8
  CHECK(one(0xd63f0020).kind == Kind::kCall);          // blr x1
  CHECK(one(0xd63f081f).kind == Kind::kCall);          // blraaz x0
  CHECK(one(0xd73f0801).kind == Kind::kCall);          // blraa x0, x1
  CHECK(one(0xd65f03c0).kind == Kind::kReturn);        // ret
  CHECK(one(0xd65f0bff).kind == Kind::kReturn);        // retaa
  CHECK(one(0xd61f0200).kind == Kind::kIndirectJump);  // br x16
  CHECK(one(0xd71f0801).kind == Kind::kIndirectJump);  // braa x0, x1
  CHECK(one(0xd503201f).kind == Kind::kNop);           // nop
  CHECK(one(0xd503245f).kind == Kind::kOther);         // bti c
  CHECK(one(0xd4200020).kind == Kind::kTrap);          // brk #1
  CHECK(one(0x00000000).kind == Kind::kTrap);          // udf #0
  CHECK(one(0xd4000001).kind == Kind::kOther);         // svc #0
  CHECK(one(0xa9bf7bfd).kind == Kind::kOther);         // stp x29, x30, [sp, #-16]!
  CHECK(one(0xa9bf7bfd).size_bytes == 4);

  CHECK(one(0x14000002).kind == Kind::kJump);  // b .+8
  CHECK(one(0x14000002).target == 0x1008);
  CHECK(one(0x17ffffff).target == 0xffc);        // b .-4
  CHECK(one(0x54000040).kind == Kind::kBranch);  // b.eq .+8
  CHECK(one(0x54ffffe1).target == 0xffc);        // b.ne .-4
  CHECK(one(0x34000060).target == 0x100c);       // cbz w0, .+12
  CHECK(one(0xb5ffffe3).target == 0xffc);        // cbnz x3, .-4
  CHECK(one(0x36080041).kind == Kind::kBranch);  // tbz w1, #1, .+8
  CHECK(one(0xb7ffffe1).target == 0xffc);        // tbnz x1, #63, .-4
}

TEST_CASE("arm64: code is whole instructions", "[arm64]") {
  CHECK(decode({}).complete);
  CHECK(decode({0xd503201f, 0xd65f03c0}).complete);
  std::vector<std::byte> cut = bytes_of({0xd503201f, 0xd65f03c0});
  cut.pop_back();
  const DecodedCode decoded = arch::kAarch64Code.decode(true, cut, kAddress);
  CHECK_FALSE(decoded.complete);
  CHECK(decoded.instructions.size() == 1);
  CHECK(decoded.instructions[0].offset == 0);
  CHECK_FALSE(arch::kAarch64Code.decode(false, bytes_of({0xd503201f}), kAddress).complete);  // 32-bit
}

TEST_CASE("arm64: an indirect jump goes to a case, through a slot, or leaves for another function", "[arm64]") {
  // adrp x16, 0; ldr x17, [x16, #24]; add x16, x16, #24; br x17
  const Instruction slot = last({0x90000010, 0xf9400e11, 0x91006210, 0xd61f0220});
  CHECK(slot.is_through_slot);
  CHECK_FALSE(slot.is_case_jump);
  // ldr x1, [x0]; ldr x1, [x1, #8]; br x1
  CHECK_FALSE(last({0xf9400001, 0xf9400421, 0xd61f0020}).is_through_slot);
  // adrp x1, 0; ldr x1, [x1]; ldr x1, [x1, #8]; br x1: by an object at a fixed address
  CHECK_FALSE(last({0x90000001, 0xf9400021, 0xf9400421, 0xd61f0020}).is_through_slot);

  // adrp x1, 0; add x1, x1, #0; ldrb w1, [x1, w0, uxtw]; adr x0, .+12; add x1, x0, w1, sxtb #2; br x1
  const Instruction by_byte = last({0x90000001, 0x91000021, 0x38604821, 0x10000060, 0x8b218801, 0xd61f0020});
  CHECK(by_byte.is_case_jump);
  CHECK_FALSE(by_byte.is_tail_call);
  // ldrsw x10, [x8, x9, lsl #2]; add x8, x8, x10; br x8
  CHECK(last({0xb8a9790a, 0x8b0a0108, 0xd61f0100}).is_case_jump);
  // ldr x1, [x1, x0, lsl #3]; br x1: a table of functions
  CHECK_FALSE(last({0xf8607821, 0xd61f0020}).is_case_jump);

  // ldr x1, [x0]; ldp x29, x30, [sp], #32; br x1
  CHECK(last({0xf9400001, 0xa8c27bfd, 0xd61f0020}).is_tail_call);
  CHECK_FALSE(last({0xf9400001, 0xd61f0020}).is_tail_call);              // it never had a frame, or still has it
  CHECK(last({0xf9400001, 0x910083ff, 0xd61f0020}).is_tail_call);        // add sp, sp, #32
  CHECK_FALSE(last({0xa8c27bfd, 0xa9be7bfd, 0xd61f0020}).is_tail_call);  // stp x29, x30, [sp, #-32]!
  CHECK_FALSE(last({0xa8c27bfd, 0xd65f03c0, 0xd61f0020}).is_tail_call);  // ret in between
}

TEST_CASE("arm64: instructions that the kernel cannot step over have no probe", "[arm64]") {
  // nop; bti c; paciasp; xpaclri; stp; ret; adr; adrp; dc zva; mrs tpidr_el0
  CHECK(hazards({0xd503201f, 0xd503245f, 0xd503233f, 0xd50320ff, 0xa9bf7bfd, 0xd65f03c0, 0x10000060, 0x90000001,
                 0xd50b7420, 0xd53bd040}) == "..........");
  // autiasp; yield; retaa; braa; blraaz; svc; msr tpidr_el0; msr daifset; mrs daif; hlt
  CHECK(hazards({0xd50323bf, 0xd503203f, 0xd65f0bff, 0xd71f0801, 0xd63f081f, 0xd4000001, 0xd51bd040, 0xd50343df,
                 0xd53b4220, 0xd4400000}) == "!!!!!!!!!!");
  // ldr x0, .; ldrsw x0, .; prfm, .; ldr q0, .; ldar; stlr; cas; cpyfp
  CHECK(hazards({0x58000000, 0x98000000, 0xd8000000, 0x9c000000, 0xc8dffc00, 0xc89ffc00, 0xc8a07c00, 0x19010440}) ==
        "!!!!!!!!");
  // ldr x0, [x1]; ldr x0, [x1, x2]; ldp; ldadd x0, x0, [x1]; prfm [x0]; add v0.4s
  CHECK(hazards({0xf9400020, 0xf8626820, 0xa9400000, 0xf8200020, 0xf9800000, 0x4ea08400}) == "......");
}

TEST_CASE("arm64: no probe goes between an exclusive load and its store", "[arm64]") {
  // 1: ldxr w1, [x0]; add w1, w1, #1; stxr w2, w1, [x0]; cbnz w2, 1b; ret
  CHECK(hazards({0x885f7c01, 0x11000421, 0x88027c01, 0x35ffffa2, 0xd65f03c0}) == "!x!..");
  // 1: ldaxr w1, [x0]; cmp w1, w3; b.ne 2f; stlxr w2, w4, [x0]; cbnz w2, 1b; 2: mov w0, w1; ret: what is behind the
  // loop is reached without the store
  CHECK(hazards({0x885ffc01, 0x6b03003f, 0x54000061, 0x8802fc04, 0x35ffff82, 0x2a0103e0, 0xd65f03c0}) == "!xx!...");
  // ldxr w1, [x0]; b 2f; 1: ret; nop; 2: stxr w2, w1, [x0]; cbnz w2, ...: along branches only
  CHECK(hazards({0x885f7c01, 0x14000003, 0xd65f03c0, 0xd503201f, 0x88027c01, 0x35ffff62, 0xd65f03c0}) == "!x..!..");
  // ldxr; nop; clrex; nop; stxr: the mark is gone anyway
  CHECK(hazards({0x885f7c01, 0xd503201f, 0xd5033f5f, 0xd503201f, 0x88027c01}) == "!...!");
  // ldxp x1, x2, [x0]; nop; stxp w3, x1, x2, [x0]
  CHECK(hazards({0xc87f0801, 0xd503201f, 0xc8230801}) == "!x!");
  // casp is no load of that kind
  CHECK(hazards({0x48207c82, 0xd503201f, 0x88027c01}) == "!.!");
}

TEST_CASE("arm64: a kernel function begins before the tracer's call", "[arm64]") {
  const arch::LandingMark &mark = arch::kAarch64.landing_mark;
  CHECK(mark.word_before_bytes == 8);
  CHECK(mark.bytes_before(0xd503245f) == 8);  // bti c
  CHECK(mark.bytes_before(0xd50324df) == 8);  // bti jc
  CHECK(mark.bytes_before(0xd503201f) == 4);
  CHECK(mark.bytes_before(0xd65f03c0) == 4);
}

TEST_CASE("arm64: system calls have the numbers of its headers", "[arm64]") {
  const auto call = [](std::string_view name) -> const arch::SystemCall * {
    for (const arch::SystemCall &row : arch::kAarch64.system_calls)
      if (row.name == name) return &row;
    return nullptr;
  };
  REQUIRE(call("openat") != nullptr);
  CHECK(call("openat")->number == 56);
  CHECK(call("read")->number == 63);
  CHECK(call("read")->widths == "i");
  CHECK(call("clone3")->number == 435);
  CHECK(call("newfstatat")->number == 79);
  CHECK(call("fstat")->kernel_name == "newfstat");
  CHECK(call("personality")->kernel_name == "arm64_personality");
  CHECK(call("listns")->number == 470);
  for (const char *absent : {"open", "fork", "vfork", "stat", "poll", "arch_prctl"}) CHECK(call(absent) == nullptr);
  for (size_t i = 1; i < arch::kAarch64.system_calls.size(); ++i)
    CHECK(arch::kAarch64.system_calls[i - 1].number < arch::kAarch64.system_calls[i].number);
}

TEST_CASE("arm64: relocations with a function's address", "[arm64]") {
  CHECK(arch::kAarch64.function_slot(R_AARCH64_IRELATIVE) == arch::FunctionSlot::kResolved);
  CHECK(arch::kAarch64.function_slot(R_AARCH64_JUMP_SLOT) == arch::FunctionSlot::kFunction);
  CHECK(arch::kAarch64.function_slot(R_AARCH64_GLOB_DAT) == arch::FunctionSlot::kFunction);
  CHECK(arch::kAarch64.function_slot(R_AARCH64_RELATIVE) == arch::FunctionSlot::kNone);
}

TEST_CASE("arm64: a result that is at an address of the caller's is missing, and says why", "[arm64][convention]") {
  TypeTable types;
  const TypeId large = types.declare_tag(TagKind::kStruct, "large");
  const std::vector<TypeTable::NewMember> words(3, {"m", types.long_type()});
  types.complete_struct(large, words);
  CHECK(returned_value(arch::kAarch64.calls, types, large, 1).missing == arch::kOnlyCallerKnows);
  CHECK(returned_value(arch::kX86_64.calls, types, large, 1).missing == "");
}

TEST_CASE("arm64: the instruction in front of a return address says which function it calls", "[arm64]") {
  const auto called = [](Words words) { return arch::kAarch64Code.called_before(bytes_of(words), kAddress); };
  CHECK(called({0x94000004}) == kAddress + 12);              // bl .+16
  CHECK(called({0xd503201f, 0x97fffffc}) == kAddress - 20);  // nop; bl .-16
  CHECK_FALSE(called({0x14000004}));                         // b
  CHECK_FALSE(called({0xd63f0000}));                         // blr x0
  CHECK_FALSE(called({}));
}

TEST_CASE("arm64: instructions that call are told from others", "[arm64]") {
  const auto is_call = [](uint32_t word) {
    return std::ranges::any_of(arch::kAarch64.call_instructions,
                               [&](const arch::CodePattern &call) { return (word & call.mask) == call.value; });
  };
  for (const uint32_t call : {0x94000000U, 0x97ffffffU, 0xd63f0000U, 0xd63f0280U,     // bl, blr x0, blr x20
                              0xd63f081fU, 0xd63f0e9fU, 0xd73f0a91U, 0xd73f0e91U}) {  // blraaz, blrabz, blraa, blrab
    CAPTURE(call);
    CHECK(is_call(call));
  }
  for (const uint32_t other : {0x14000000U, 0xd61f0000U, 0xd65f03c0U, 0xd503201fU, 0xd503245fU, 0U}) {
    CAPTURE(other);  // b, br x0, ret, nop, bti c
    CHECK_FALSE(is_call(other));
  }
}

}  // namespace dtrace::runtime
