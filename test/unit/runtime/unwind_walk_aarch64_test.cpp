// SPDX-License-Identifier: Apache-2.0
// Walks of stacks of arm64, on any host: stack and code that a walk reads are in our own memory, rules in the pool.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "arch/machine.h"
#include "unwind_host.h"

namespace dtrace::runtime::test {
namespace {

using Frames = std::vector<uint64_t>;

/// Functions with rules: at kCode plus its number times kFunctionBytes.
constexpr uint64_t kCode = 0x400000, kFunctionBytes = 0x100;
/// A return address in function `n`; signed, as pointer authentication leaves it on the stack.
constexpr uint64_t in(uint64_t n) { return kCode + n * kFunctionBytes + 0x20; }
constexpr uint64_t is_signed(uint64_t address) { return address | uint64_t{0x2a} << 48; }

constexpr pid_t kPid = 1;  // as good as any: nothing of it is read
constexpr int kFramePointer = 29, kLink = 30, kStack = 31, kPc = 32;

struct Saved {
  uint8_t base;  // enum dt_unwind_base
  int32_t offset = 0;
};
constexpr dt_unwind_rule rule(Saved cfa, Saved return_address, Saved frame = {DT_UNWIND_NONE}) {
  dt_unwind_rule rule{};
  rule.cfa = cfa.base;
  rule.cfa_offset = cfa.offset;
  rule.return_address = return_address.base;
  rule.return_offset = return_address.offset;
  rule.frame = frame.base;
  rule.frame_offset = frame.offset;
  return rule;
}
/// x30 still has the return address, nothing is on the stack.
constexpr dt_unwind_rule kLeaf = rule({DT_UNWIND_STACK}, {DT_UNWIND_NONE});
constexpr dt_unwind_rule kFirst = rule({DT_UNWIND_STACK}, {DT_UNWIND_END});
/// stp x29, x30, [sp, #-size]!
constexpr dt_unwind_rule with_record(int32_t size_bytes) {
  return rule({DT_UNWIND_STACK, size_bytes}, {DT_UNWIND_CFA, 8 - size_bytes}, {DT_UNWIND_CFA, -size_bytes});
}
/// str x30, [sp, #-size]!
constexpr dt_unwind_rule without_record(int32_t size_bytes) {
  return rule({DT_UNWIND_STACK, size_bytes}, {DT_UNWIND_CFA, -size_bytes});
}

class Stopped {
 public:
  /// Functions by their rules; all code in our own memory has none.
  explicit Stopped(std::initializer_list<dt_unwind_rule> rules) {
    std::vector<FrameRow> rows;
    for (const dt_unwind_rule &rule : rules) rows.push_back({kCode + rows.size() * kFunctionBytes, rule});
    const uint32_t pages = host_.pool().add_pages(1).value();
    REQUIRE(host_.pool().set_page(pages, kCode, rows));
    const std::array<dt_unwind_mapping, 2> mappings = {
        {{.start = kCode, .end = kCode + 0x1000, .bias = kCode, .pages = pages, .flags = 0},
         {.start = address(code_.data()),
          .end = address(code_.data() + code_.size()),
          .bias = 0,
          .pages = 0,
          .flags = 0}}};
    host_.set_mappings(kPid, mappings);
    host_.read = [this](void *to, uint32_t size_bytes, uint64_t from) {
      const std::array<std::span<const std::byte>, 2> readable = {std::as_bytes(std::span(stack_)),
                                                                  std::as_bytes(std::span(code_))};
      for (const std::span<const std::byte> memory : readable) {
        const uint64_t offset = from - address(memory.data());
        if (offset >= memory.size() || size_bytes > memory.size() - offset) continue;
        std::memcpy(to, &memory[offset], size_bytes);
        return true;
      }
      return false;
    };
    reg(kStack) = stack_address(0);
  }

  Stopped(const Stopped &) = delete;
  Stopped &operator=(const Stopped &) = delete;

  uint64_t &reg(int number) { return registers_.words.at(static_cast<size_t>(number)); }
  uint64_t &stack(size_t word) { return stack_.at(word); }
  uint64_t stack_address(size_t word) const { return address(&stack_.at(word)); }
  /// Puts instructions into the code without rules. Returns their address.
  uint64_t put_code(std::initializer_list<uint32_t> words) {
    const size_t from = nr_words_;
    for (const uint32_t word : words) code_.at(nr_words_++) = word;
    nr_words_ += 16;
    return address(&code_.at(from));
  }
  Walk walk(uint32_t flags = 0) { return host_.walk(kPid, registers_, 512, flags); }

 private:
  static uint64_t address(const void *pointer) { return reinterpret_cast<uint64_t>(pointer); }

  HostWalker host_{1 << 20, arch::kAarch64};
  StoppedRegisters registers_;
  alignas(16) std::array<uint64_t, 512> stack_{};
  std::array<uint32_t, 512> code_{};
  size_t nr_words_ = 16;
};

}  // namespace

TEST_CASE("unwind arm64: the innermost function's return address is in x30 until it is saved", "[unwind][arm64]") {
  Stopped one({kFirst, with_record(32), kLeaf});
  one.reg(kPc) = in(2);
  one.reg(kLink) = in(1);
  one.stack(1) = in(0);
  const Walk walk = one.walk();
  CHECK(walk.frames == Frames{in(2), in(1), in(0)});
  CHECK(walk.end == DT_UNWIND_WHOLE);
}

TEST_CASE("unwind arm64: signatures of return addresses are left out", "[unwind][arm64]") {
  Stopped one({kFirst, with_record(32), with_record(16), kLeaf});
  one.reg(kPc) = in(3);
  one.reg(kLink) = is_signed(in(2));
  one.stack(1) = is_signed(in(1));
  one.stack(3) = is_signed(in(0));
  const Walk walk = one.walk();
  CHECK(walk.frames == Frames{in(3), in(2), in(1), in(0)});
  CHECK(walk.end == DT_UNWIND_WHOLE);
}

TEST_CASE("unwind arm64: a function that has called another has its return address in no register", "[unwind][arm64]") {
  Stopped one({kFirst, kLeaf, with_record(16)});
  one.reg(kPc) = in(2);
  one.reg(kLink) = in(0);
  one.stack(1) = in(1);
  const Walk walk = one.walk();
  CHECK(walk.frames == Frames{in(2), in(1)});
  CHECK(walk.end == DT_UNWIND_NO_RULE);
}

TEST_CASE("unwind arm64: at a return probe x30 is nobody's", "[unwind][arm64]") {
  Stopped one({kFirst, kLeaf});
  one.reg(kPc) = in(1);
  one.reg(kLink) = in(0);
  CHECK(one.walk(DT_UNWIND_RETURNED).end == DT_UNWIND_NO_RULE);
  CHECK(one.walk().end == DT_UNWIND_WHOLE);
}

TEST_CASE("unwind arm64: a signal's frame is known by the instructions that its handler returns to",
          "[unwind][arm64]") {
  Stopped one({kFirst, with_record(48), kLeaf, with_record(16)});
  const uint64_t restore = one.put_code({0xd2801168, 0xd4000001});  // mov x8, #139; svc #0
  one.reg(kPc) = in(3);                                             // the handler
  one.stack(1) = restore;
  const size_t registers = 2 + 39;  // the handler's frame, then siginfo_t and what ucontext_t has before them
  one.stack(registers + kPc) = in(2);
  one.stack(registers + kLink) = is_signed(in(1));
  one.stack(registers + kStack) = one.stack_address(100);
  one.stack(101) = in(0);
  const Walk walk = one.walk();
  CHECK(walk.frames == Frames{in(3), restore, in(2), in(1), in(0)});
  CHECK(walk.end == DT_UNWIND_WHOLE);
}

TEST_CASE("unwind arm64: registers that a signal interrupted are the ones to go on with", "[unwind][arm64]") {
  // A frame that is counted from the frame pointer, and one from x19.
  constexpr dt_unwind_rule kByFrame = rule({DT_UNWIND_FRAME, 16}, {DT_UNWIND_CFA, -8}, {DT_UNWIND_CFA, -16});
  constexpr dt_unwind_rule kByOther = rule({DT_UNWIND_OTHER, 16}, {DT_UNWIND_CFA, -8});
  Stopped one({kFirst, kByOther, kByFrame, with_record(16)});
  const uint64_t restore = one.put_code({0xd2801168, 0xd4000001});
  one.reg(kPc) = in(3);
  one.stack(1) = restore;
  const size_t registers = 2 + 39;
  one.stack(registers + kPc) = in(2);
  one.stack(registers + 19) = one.stack_address(120);
  one.stack(registers + kFramePointer) = one.stack_address(110);
  one.stack(registers + kStack) = one.stack_address(100);
  one.stack(111) = in(1);
  one.stack(121) = in(0);
  const Walk walk = one.walk();
  CHECK(walk.frames == Frames{in(3), restore, in(2), in(1), in(0)});
  CHECK(walk.end == DT_UNWIND_WHOLE);
}

TEST_CASE("unwind arm64: code of a procedure linkage table has no frame", "[unwind][arm64]") {
  Stopped one({kFirst, with_record(32)});
  one.reg(kFramePointer) = one.stack_address(0);
  one.reg(kLink) = in(1);
  one.stack(1) = in(0);
  // bti c; adrp x16, ...; ldr x17, [x16, #24]; add x16, x16, #24; br x17
  const uint64_t start = one.put_code({0xd503245f, 0x90000010, 0xf9400e11, 0x91006210, 0xd61f0220});
  for (uint64_t at = start; at < start + 20; at += 4) {
    one.reg(kPc) = at;
    const Walk walk = one.walk();
    CHECK(walk.frames == Frames{at, in(1), in(0)});
    CHECK(walk.end == DT_UNWIND_WHOLE);
  }
  // The first entry puts two registers on the stack for the linker.
  const uint64_t first = one.put_code({0xa9bf7bf0, 0x90000010, 0xf9400e11, 0x91006210, 0xd61f0220, 0xd503201f});
  one.stack(3) = in(0);
  for (uint64_t at = first; at < first + 20; at += 4) {
    one.reg(kPc) = at;
    one.stack(1) = at == first ? in(0) : 0;
    CHECK(one.walk().frames == Frames{at, in(1), in(0)});
  }
}

TEST_CASE("unwind arm64: a system call by hand has its return address in x30", "[unwind][arm64]") {
  Stopped one({kFirst});
  // bl ...; nop: the caller. svc #0; ret
  const uint64_t caller = one.put_code({0x94000010, 0xd503201f}) + 4;
  const uint64_t bare = one.put_code({0xd4000001, 0xd65f03c0}) + 4;
  one.reg(kPc) = bare;
  one.reg(kLink) = caller;
  one.reg(kFramePointer) = one.stack_address(0);
  one.stack(0) = 0;
  one.stack(1) = in(0);
  CHECK(one.walk().frames == Frames{bare, caller, in(0)});
  // A function with a frame has its return address there.
  one.stack(1) = caller;
  CHECK(one.walk().frames == Frames{bare, caller});
}

TEST_CASE("unwind arm64: behind code without rules the frame pointer tells where a frame is", "[unwind][arm64]") {
  Stopped one({kFirst, with_record(32), without_record(16)});
  const uint64_t code = one.put_code({0xd503201f});
  one.reg(kPc) = code;
  one.reg(kFramePointer) = one.stack_address(10);
  // The caller's frame is not where that of the code ends: its variables lie in between.
  one.stack(10) = one.stack_address(20);
  one.stack(11) = is_signed(in(1));
  one.stack(20) = 0;
  one.stack(21) = in(0);
  const Walk walk = one.walk();
  CHECK(walk.frames == Frames{code, in(1), in(0)});
  CHECK(walk.end == DT_UNWIND_WHOLE);
  // A function that keeps no record of its frame: nobody knows where it is.
  one.stack(11) = in(2);
  const Walk cut = one.walk();
  CHECK(cut.frames == Frames{code, in(2)});
  CHECK(cut.end == DT_UNWIND_NO_RULE);
}

TEST_CASE("unwind arm64: at the first instruction of code without rules x30 has the return address",
          "[unwind][arm64]") {
  Stopped one({kFirst, with_record(32)});
  one.reg(kPc) = one.put_code({0xd503201f});
  one.reg(kLink) = in(1);
  one.stack(1) = in(0);
  CHECK(one.walk(DT_UNWIND_AT_BOUNDARY).frames == Frames{one.reg(kPc), in(1), in(0)});
}

}  // namespace dtrace::runtime::test
