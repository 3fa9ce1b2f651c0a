// SPDX-License-Identifier: Apache-2.0
// Instruction boundaries and kinds, on bytes whose meaning the processor's manual tells.
#include <catch2/catch.hpp>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "arch/machine_code.h"

namespace dtrace::runtime {
namespace {

using arch::DecodedCode;
using arch::Instruction;

std::vector<std::byte> code(std::initializer_list<int> bytes) {
  std::vector<std::byte> out;
  for (int byte : bytes) out.push_back(static_cast<std::byte>(byte));
  return out;
}

using Kind = Instruction::Kind;

TEST_CASE("instructions of x86-64 have boundaries and kinds") {
  // push %rbp; mov %rsp,%rbp; nopl 0(%rax,%rax,1); je +2; call; nop; pop %rbp; ret
  const auto bytes = code({0x55, 0x48, 0x89, 0xe5, 0x0f, 0x1f, 0x44, 0x00, 0x00, 0x74, 0x05, 0xe8, 0x00, 0x00, 0x00,
                           0x00, 0x90, 0x5d, 0xc3});
  const DecodedCode decoded = arch::kX86_64Code.decode(true, bytes, 0x1000);
  REQUIRE(decoded.complete);
  const std::vector<std::pair<uint32_t, Kind>> wanted = {{0, Kind::kOther},  {1, Kind::kOther},  {4, Kind::kNop},
                                                         {9, Kind::kBranch}, {11, Kind::kCall},  {16, Kind::kNop},
                                                         {17, Kind::kOther}, {18, Kind::kReturn}};
  REQUIRE(decoded.instructions.size() == wanted.size());
  for (size_t i = 0; i < wanted.size(); i++) {
    CHECK(decoded.instructions[i].offset == wanted[i].first);
    CHECK(decoded.instructions[i].kind == wanted[i].second);
  }
  CHECK(decoded.instructions[2].size_bytes == 5);
  CHECK(decoded.instructions[3].target == 0x1010);
}

TEST_CASE("the instruction in front of a return address says which function it calls") {
  const auto called = [](std::initializer_list<int> bytes) {
    return arch::kX86_64Code.called_before(code(bytes), 0x1000);
  };
  CHECK(called({0xe8, 0x10, 0x00, 0x00, 0x00}) == 0x1010);
  CHECK(called({0x90, 0xe8, 0xf0, 0xff, 0xff, 0xff}) == 0xff0);
  CHECK_FALSE(called({0xe9, 0x10, 0x00, 0x00, 0x00}));  // a jump
  CHECK_FALSE(called({0x90, 0x90, 0x90, 0xff, 0xd0}));  // call *%rax
  CHECK_FALSE(called({0xe8, 0x10}));
}

TEST_CASE("jumps that nobody can follow, ends that do not go on") {
  const auto kind = [](std::initializer_list<int> bytes) {
    const DecodedCode decoded = arch::kX86_64Code.decode(true, code(bytes), 0x1000);
    REQUIRE(decoded.instructions.size() == 1);
    return decoded.instructions[0].kind;
  };
  CHECK(kind({0xff, 0xe0}) == Kind::kIndirectJump);              // jmp *%rax
  CHECK(kind({0xff, 0x25, 0, 0, 0, 0}) == Kind::kIndirectJump);  // jmp *0(%rip)
  CHECK(kind({0xeb, 0xfe}) == Kind::kJump);                      // jmp .
  CHECK(kind({0xff, 0xd0}) == Kind::kCall);                      // call *%rax
  CHECK(kind({0xf3, 0xc3}) == Kind::kReturn);                    // rep ret
  CHECK(kind({0xc2, 0x08, 0x00}) == Kind::kReturn);              // ret $8
  CHECK(kind({0x0f, 0x0b}) == Kind::kTrap);                      // ud2
  CHECK(kind({0xf3, 0x0f, 0x1e, 0xfa}) != Kind::kTrap);          // endbr64
  CHECK(kind({0xcc}) == Kind::kTrap);                            // int3
  CHECK(kind({0xf4}) == Kind::kTrap);                            // hlt
  CHECK(kind({0x66, 0x90}) == Kind::kNop);
}

TEST_CASE("vector instructions are told, and whether they leave general registers alone") {
  const auto one = [](std::initializer_list<int> bytes) {
    const DecodedCode decoded = arch::kX86_64Code.decode(true, code(bytes), 0);
    REQUIRE(decoded.instructions.size() == 1);
    return decoded.instructions[0];
  };
  const Instruction to_vector = one({0xc4, 0xe1, 0xf9, 0x6e, 0xcf});  // vmovq %rdi,%xmm1
  CHECK(to_vector.is_vector);
  CHECK_FALSE(to_vector.writes_general);
  const Instruction from_vector = one({0xc4, 0xe1, 0xf9, 0x7e, 0xd0});  // vmovq %xmm2,%rax
  CHECK(from_vector.is_vector);
  CHECK(from_vector.writes_general);
  const Instruction evex = one({0x62, 0xe2, 0x7d, 0x28, 0x7a, 0xce});  // vpbroadcastb %esi,%ymm17
  CHECK(evex.is_vector);
  CHECK_FALSE(evex.writes_general);
  const Instruction bmi = one({0xc4, 0xe2, 0xf8, 0xf2, 0xc1});  // andn %rcx,%rax,%rax
  CHECK(bmi.is_vector);
  CHECK(bmi.writes_general);
  CHECK_FALSE(one({0x66, 0x48, 0x0f, 0x7e, 0xc0}).is_vector);  // movq %xmm0,%rax
}

TEST_CASE("an indirect jump out of a frame that was given back is a tail call") {
  const auto last = [](std::initializer_list<int> bytes, bool is_64bit = true) {
    const DecodedCode decoded = arch::kX86_64Code.decode(is_64bit, code(bytes), 0x1000);
    REQUIRE(decoded.complete);
    REQUIRE(decoded.instructions.back().kind == Kind::kIndirectJump);
    return decoded.instructions.back().is_tail_call;
  };
  // push %rbx; mov 0x30(%rbx),%rax; add $0x30,%rsp; mov %rbx,%rdi; pop %rbx; jmp *%rax
  CHECK(last({0x53, 0x48, 0x8b, 0x43, 0x30, 0x48, 0x83, 0xc4, 0x30, 0x48, 0x89, 0xdf, 0x5b, 0xff, 0xe0}));
  CHECK(last({0x48, 0x83, 0xc4, 0x08, 0xff, 0xa0, 0xd8, 0, 0, 0}));  // add $8,%rsp; jmp *0xd8(%rax)
  CHECK(last({0x41, 0x5c, 0x74, 0x00, 0xff, 0xe0}));                 // pop %r12; je .+2; jmp *%rax
  CHECK(last({0xc9, 0xff, 0xe2}));                                   // leave; jmp *%rdx
  CHECK(last({0x48, 0x8d, 0x64, 0x24, 0x18, 0xff, 0xe0}));           // lea 0x18(%rsp),%rsp; jmp *%rax
  CHECK(last({0x83, 0xc4, 0x0c, 0xff, 0xe0}, false));                // add $12,%esp; jmp *%eax
  CHECK_FALSE(last({0xff, 0xe0}));                                   // jmp *%rax
  CHECK_FALSE(last({0x5b, 0xff, 0x24, 0xc5, 0, 0, 0, 0}));           // pop %rbx; jmp *table(,%rax,8)
  CHECK_FALSE(last({0x5b, 0x48, 0x8b, 0x04, 0xc2, 0xff, 0xe0}));     // pop %rbx; mov (%rdx,%rax,8),%rax; jmp *%rax
  CHECK_FALSE(last({0x5b, 0x53, 0xff, 0xe0}));                       // pop %rbx; push %rbx; jmp *%rax
  CHECK_FALSE(last({0x5b, 0xe8, 0, 0, 0, 0, 0xff, 0xe0}));           // pop %rbx; call; jmp *%rax
  CHECK_FALSE(last({0x5b, 0xc3, 0xff, 0xe0}));                       // pop %rbx; ret; jmp *%rax
  // pop %rbx; movslq (%rdx,%rax,4),%rax; add %rdx,%rax; notrack jmp *%rax
  CHECK_FALSE(last({0x5b, 0x48, 0x63, 0x04, 0x82, 0x48, 0x01, 0xd0, 0x3e, 0xff, 0xe0}));
}

TEST_CASE("what is no code ends the decoding") {
  const DecodedCode decoded = arch::kX86_64Code.decode(true, code({0x90, 0x06, 0x90}), 0);
  CHECK_FALSE(decoded.complete);
  CHECK(decoded.instructions.size() == 1);
  const DecodedCode cut = arch::kX86_64Code.decode(true, code({0x90, 0xe8, 0x00}), 0);
  CHECK_FALSE(cut.complete);
  CHECK(cut.instructions.size() == 1);
  CHECK(arch::kX86_64Code.decode(true, {}, 0).complete);
}

TEST_CASE("the same bytes are other instructions in 32-bit code") {
  // inc %eax in 32-bit code, a prefix in 64-bit code
  const auto bytes = code({0x40, 0x90});
  CHECK(arch::kX86_64Code.decode(false, bytes, 0).instructions.size() == 2);
  CHECK(arch::kX86_64Code.decode(true, bytes, 0).instructions.size() == 1);
}

TEST_CASE("a LOCK prefix belongs to its instruction, which has no probe") {
  // lock cmpxchg %edx,(%rdi); lock addl $1,(%rax); xacquire lock cmpxchg %edx,(%rdi); ret
  const auto bytes = code({0xf0, 0x0f, 0xb1, 0x17, 0xf0, 0x83, 0x00, 0x01, 0xf2, 0xf0, 0x0f, 0xb1, 0x17, 0xc3});
  const DecodedCode decoded = arch::kX86_64Code.decode(true, bytes, 0);
  CHECK(decoded.complete);
  std::vector<uint32_t> offsets;
  for (const Instruction &instruction : decoded.instructions) offsets.push_back(instruction.offset);
  CHECK(offsets == std::vector<uint32_t>{0, 4, 8, 13});
  const auto reasons = arch::kX86_64Code.hazards(true, bytes, 0, decoded.instructions);
  for (size_t i = 0; i < reasons.size(); i++) CHECK(reasons[i].empty() == (i == 3));
  CHECK_FALSE(arch::kX86_64Code.decode(true, code({0x90, 0xf0}), 0).complete);
}

TEST_CASE("instructions that make a system call have no probe") {
  // mov $110,%eax; syscall; sysenter; int $0x80; cmp $0x80,%al; cpuid; ret
  const auto bytes = code({0xb8, 110, 0, 0, 0, 0x0f, 0x05, 0x0f, 0x34, 0xcd, 0x80, 0x3c, 0x80, 0x0f, 0xa2, 0xc3});
  for (bool is_64bit : {true, false}) {
    const DecodedCode decoded = arch::kX86_64Code.decode(is_64bit, bytes, 0);
    CHECK(decoded.complete);
    std::string refused;
    for (const std::string_view reason : arch::kX86_64Code.hazards(is_64bit, bytes, 0, decoded.instructions))
      refused += reason.empty() ? '.' : '!';
    CHECK(refused == ".!!!...");
    for (const Instruction &instruction : decoded.instructions)
      CHECK((refused[static_cast<size_t>(&instruction - decoded.instructions.data())] == '.' ||
             arch::kX86_64Code.may_be_hazard(bytes[instruction.offset])));
  }
}

}  // namespace
}  // namespace dtrace::runtime
