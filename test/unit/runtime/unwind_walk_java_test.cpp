// SPDX-License-Identifier: Apache-2.0
// Walks of Java stacks in memory that is made up, of both machines on any host: threads that are stopped where a frame
// is being made.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "arch/machine.h"
#include "bpf/dt_hotspot.h"
#include "bpf/dt_managed.h"
#include "unwind_host.h"

namespace dtrace::runtime::test {
namespace {

using Frames = std::vector<uint64_t>;

constexpr pid_t kPid = 1;  // as good as any: nothing of it is read
constexpr uint64_t kCache = 0x100000, kCacheBytes = 0x100000, kSegmentMap = 0x900000, kSegmentShift = 7;
constexpr uint64_t kBlobHeaderBytes = 0x100;  // from the block's start to its code
constexpr uint64_t kInterpreter = 0x110000, kStub = 0x114000, kAdapter = 0x116000, kCompiled = 0x119000;
constexpr uint64_t kCallee = 0x11b000, kRuntimeStub = 0x11d000;
constexpr uint64_t kBlobBytes = 0x1000, kCompleteBytes = 0x40;  // of code, and of it what makes a frame
constexpr uint64_t kStack = 0x7000000, kEntryFrame = kStack + 0x400;

/// A stopped thread; memory is 0 where nothing was put.
class Stopped {
 public:
  explicit Stopped(const arch::Machine &machine) : host_(16 << 20, machine) {
    dt_hotspot known{};
    known.language = DT_MANAGED_JAVA;
    known.cache_start = kCache;
    known.cache_bytes = kCacheBytes;
    known.interpreter_start = kInterpreter;
    known.interpreter_bytes = kCacheBytes;  // as if it was still being made
    known.heaps[0] = {kCache, kCacheBytes, kSegmentMap, kSegmentShift, 0};
    known.block_header_bytes = 16;
    known.name = 96;
    known.blob_size = 24;
    known.frame_size = 28;
    known.frame_complete = 20;
    known.frame_complete_bytes = 4;
    known.code = 32;
    known.method = 112;
    dt_managed_runtime runtime{};
    std::memcpy(&runtime, &known, sizeof known);
    const uint32_t place = host_.pool().add_runtime(runtime).value();
    dt_unwind_mapping cache{};
    cache.start = kCache;
    cache.end = kCache + kCacheBytes;
    cache.flags = DT_HOTSPOT_CACHE | place / DT_MANAGED_RUNTIME_BYTES << DT_MANAGED_RUNTIME_SHIFT;
    host_.set_mappings(kPid, std::span(&cache, 1));
    host_.read = [this](void *to, uint32_t size_bytes, uint64_t from) {
      for (uint32_t i = 0; i < size_bytes; ++i) {
        const auto found = bytes_.find(from + i);
        static_cast<uint8_t *>(to)[i] = found == bytes_.end() ? 0 : found->second;
      }
      return true;
    };
    blob(kInterpreter, "Interpreter", 0);
    blob(kStub, "StubRoutines (1)", 0);
    blob(kAdapter, "I2C/C2I adapters", 0);
    blob(kCompiled, "nmethod", 4);
    blob(kCallee, "nmethod", 8);
    blob(kRuntimeStub, "new_instance Runtime1 stub", 64);
    // The frame of the stub that calls Java: parameters, the entry point, no method. It was called from nowhere.
    word(kEntryFrame - 8, kEntryFrame + 0x100);
    word(kEntryFrame - 16, kInterpreter);
  }

  void word(uint64_t address, uint64_t value) {
    for (unsigned i = 0; i < sizeof value; ++i) bytes_[address + i] = static_cast<uint8_t>(value >> (8 * i));
  }
  uint64_t word(uint64_t address) {
    uint64_t value = 0;
    for (unsigned i = 0; i < sizeof value; ++i) value |= uint64_t{bytes_[address + i]} << (8 * i);
    return value;
  }
  void code(uint64_t address, std::span<const uint32_t> instructions) {
    for (const uint32_t instruction : instructions)
      for (unsigned i = 0; i < 4; ++i) bytes_[address++] = static_cast<uint8_t>(instruction >> (8 * i));
  }
  void set(size_t which, uint64_t value) { registers_.words[which] = value; }
  uint64_t get(size_t which) const { return registers_.words[which]; }
  /// The frame of an interpreted method whose caller is the stub.
  void interpreted_frame(uint64_t at) {
    word(at - 16, 0);
    word(at - 8, at + 0x40);
    word(at, kEntryFrame);
    word(at + 8, kStub + 0x200);
  }
  Frames frames() {
    const Walk walk = host_.walk(kPid, registers_);
    CHECK(walk.end == DT_UNWIND_WHOLE);
    return walk.frames;
  }

 private:
  void blob(uint64_t code, const std::string &name, uint32_t frame_words) {
    const uint64_t block = code - kBlobHeaderBytes, at = block + 16, text = 0xa00000 + code;
    const uint64_t first = (block - kCache) >> kSegmentShift;
    for (uint64_t i = 0; i < (kBlobHeaderBytes + kBlobBytes) >> kSegmentShift; ++i)
      bytes_[kSegmentMap + first + i] = static_cast<uint8_t>(i);
    for (size_t i = 0; i < name.size(); ++i) bytes_[text + i] = static_cast<uint8_t>(name[i]);
    word(at + 96, text);
    word(at + 20, uint64_t{kCompleteBytes} | (kBlobHeaderBytes - 16 + kBlobBytes) << 32);
    word(at + 28, frame_words);
    word(at + 32, code);
  }

  HostWalker host_;
  std::map<uint64_t, uint8_t> bytes_;
  StoppedRegisters registers_;
};

}  // namespace

namespace x86_64 {

// Words of struct pt_regs.
constexpr size_t kR13 = 2, kFrame = 4, kRax = 10, kPc = 16, kStackPointer = 19;

TEST_CASE("walk: a method that the machine has just called, without a frame yet", "[unwind][walk]") {
  Stopped thread(arch::kX86_64);
  thread.set(kPc, kInterpreter + 0x10);
  thread.set(kStackPointer, kStack);
  thread.set(kFrame, kEntryFrame);
  thread.word(kStack, kStub + 0x200);
  CHECK(thread.frames() == Frames{kInterpreter + 0x10, kStub + 0x200});
}

TEST_CASE("walk: an interpreted frame of which only the first words are there", "[unwind][walk]") {
  for (const uint64_t pushed : {0, 8}) {
    Stopped thread(arch::kX86_64);
    const uint64_t caller = kInterpreter + 0x800;
    thread.set(kPc, kInterpreter + 0x20 + pushed);
    thread.set(kStackPointer, kStack - pushed);
    thread.set(kFrame, kStack);
    thread.set(kRax, caller);
    thread.set(kR13, kStack + 16);
    if (pushed != 0) thread.word(kStack - 8, kStack + 16);
    thread.word(kStack - 16, kInterpreter + 5);  // what was there before
    thread.word(kStack, kStack + 0x80);
    thread.word(kStack + 8, caller);
    thread.interpreted_frame(kStack + 0x80);
    CHECK(thread.frames() == Frames{kInterpreter + 0x20 + pushed, caller, kStub + 0x200});
  }
}

TEST_CASE("walk: an adapter that has put arguments below the frame of its compiled caller", "[unwind][walk]") {
  Stopped thread(arch::kX86_64);
  const uint64_t caller = kCompiled + 0x80, sender = kStack + 0x40;
  thread.set(kPc, kAdapter + 0x40);
  thread.set(kStackPointer, kStack);
  thread.set(kFrame, 42);  // compiled code's
  thread.set(kRax, caller);
  thread.set(kR13, sender);
  thread.word(kStack, caller);
  thread.word(kStack + 8, 3);
  thread.word(sender + 16, kEntryFrame);
  thread.word(sender + 24, kStub + 0x200);
  CHECK(thread.frames() == Frames{kAdapter + 0x40, caller, kStub + 0x200});
}

}  // namespace x86_64

namespace aarch64 {

// Words of struct pt_regs.
constexpr size_t kX13 = 13, kX20 = 20, kFrame = 29, kLink = 30, kStackPointer = 31, kPc = 32;
constexpr uint64_t kJavaCaller = kCompiled + 0x80;  // a return address; the method has frames of 4 words

/// A compiled method, called by the stub, whose frame begins there. x29 is not its frame's.
void compiled_frame(Stopped &thread, uint64_t at) {
  thread.word(at + 16, kEntryFrame);
  thread.word(at + 24, kStub + 0x200);
}

/// Does what the instructions do with the stack, x29 and x30 that make frames and take them away.
void execute(Stopped &thread, uint32_t instruction) {
  const auto imm7 = static_cast<uint64_t>(static_cast<int64_t>(uint64_t{instruction} << 42) >> 57) * 8;
  const uint64_t imm12 = instruction >> 10 & 0xfff, stack = thread.get(kStackPointer);
  const auto store = [&](uint64_t at) { thread.word(at, thread.get(kFrame)), thread.word(at + 8, thread.get(kLink)); };
  const auto load = [&](uint64_t at) { thread.set(kFrame, thread.word(at)), thread.set(kLink, thread.word(at + 8)); };
  if ((instruction & 0xffc003ff) == 0xd10003ff) thread.set(kStackPointer, stack - imm12);
  if ((instruction & 0xffc003ff) == 0x910003ff) thread.set(kStackPointer, stack + imm12);
  if ((instruction & 0xffc07fff) == 0xa9007bfd) store(stack + imm7);
  if ((instruction & 0xffc07fff) == 0xa9407bfd) load(stack + imm7);
  if (instruction == 0xa9bf7bfd) thread.set(kStackPointer, stack - 16), store(stack - 16);
  if (instruction == 0xa8c17bfd) load(stack), thread.set(kStackPointer, stack + 16);
  if (instruction == 0x910003fd) thread.set(kFrame, stack);
  if (instruction == 0x910003bf) thread.set(kStackPointer, thread.get(kFrame));
  if (instruction == 0xaa0103fd) thread.set(kFrame, 1);  // any value: mov x29, x1
}

/// At each instruction of code that begins there, called by compiled code, the callers are the same.
void check_each(uint64_t start, std::span<const uint32_t> instructions) {
  Stopped thread(arch::kAarch64);
  thread.code(start, instructions);
  compiled_frame(thread, kStack);
  thread.set(kStackPointer, kStack);
  thread.set(kFrame, 42);
  thread.set(kLink, kJavaCaller);
  thread.set(kX13, kStack + 0x40);  // compiled code's
  for (size_t i = 0; i < instructions.size(); ++i) {
    INFO("instruction " << i);
    thread.set(kPc, start + 4 * i);
    CHECK(thread.frames() == Frames{start + 4 * i, kJavaCaller, kStub + 0x200});
    execute(thread, instructions[i]);
  }
}

TEST_CASE("walk arm64: a compiled method at each of its instructions", "[unwind][walk][arm64]") {
  check_each(kCallee, std::vector<uint32_t>{
                          0xb9400828, 0x6b08013f, 0x54000040, 0xd503201f,  // ldr w8, [x1, #8]; cmp w9, w8; b.eq; nop
                          0xd503201f, 0xd14053e9, 0xf900013f,              // nop; sub x9, sp, #81920; str xzr, [x9]
                          0xd10103ff, 0xa9037bfd,                          // sub sp, sp, #64; stp x29, x30, [sp, #48]
                          0xb9400108, 0xd50339bf, 0x6b08013f,  // ldr w8, guard; dmb ishld; cmp w9, w8: a barrier
                          0xd503201f, 0xd503201f, 0xd503201f, 0xd503201f,
                          0xaa0103fd,                          // mov x29, x1
                          0xa9437bfd, 0x910103ff,              // ldp x29, x30, [sp, #48]; add sp, sp, #64
                          0xf941a388, 0xeb2863ff, 0x54000148,  // ldr x8, [x28, #832]; cmp sp, x8; b.hi
                          0xd65f03c0});
}

TEST_CASE("walk arm64: the poll before a return", "[unwind][walk][arm64]") {
  // adr x8; str x8, [x28, #856]; adrp x8; add x8, x8, #n; br x8
  for (const size_t skipped : {0, 1, 2, 3, 4}) {
    Stopped thread(arch::kAarch64);
    thread.code(kCallee + 0x200, std::array<uint32_t, 5>{0x10fffe88, 0xf901af88, 0x90000008, 0x91020108, 0xd61f0100});
    compiled_frame(thread, kStack);
    thread.set(kStackPointer, kStack);
    thread.set(kLink, kJavaCaller);
    thread.set(kPc, kCallee + 0x200 + 4 * skipped);
    CHECK(thread.frames() == Frames{thread.get(kPc), kJavaCaller, kStub + 0x200});
  }
}

TEST_CASE("walk arm64: a call of the machine begins as the poll does", "[unwind][walk][arm64]") {
  // adr x8; str x8, [x28, #664]; mov x8, sp; str x8, [x28, #656]; blr x8
  constexpr std::array<uint32_t, 5> kCode{0x10000128, 0xf9014f88, 0x910003e8, 0xf9014b88, 0xd63f0100};
  for (size_t i = 0; i < kCode.size(); ++i) {
    Stopped thread(arch::kAarch64);
    thread.code(kCallee + 0x200, kCode);
    compiled_frame(thread, kStack + 64);
    thread.word(kStack + 48, 42);
    thread.word(kStack + 56, kJavaCaller);
    thread.set(kStackPointer, kStack);
    thread.set(kLink, kCallee + 0x180);  // of a call before
    thread.set(kPc, kCallee + 0x200 + 4 * i);
    CHECK(thread.frames() == Frames{thread.get(kPc), kJavaCaller, kStub + 0x200});
  }
}

TEST_CASE("walk arm64: a compiled method that has called itself, and is about to make its frame",
          "[unwind][walk][arm64]") {
  Stopped thread(arch::kAarch64);
  const uint64_t again = kCallee + 0x100;
  thread.code(kCallee + 0x20, std::array<uint32_t, 2>{0xd10103ff, 0xa9037bfd});
  thread.set(kPc, kCallee + 0x20);
  thread.set(kStackPointer, kStack);
  thread.set(kLink, again);
  for (const uint64_t frame : {0, 64}) {  // as if x30 had been saved
    thread.word(kStack + frame + 48, thread.get(kFrame));
    thread.word(kStack + frame + 56, frame == 0 ? again : kJavaCaller);
  }
  compiled_frame(thread, kStack + 128);
  CHECK(thread.frames() == Frames{kCallee + 0x20, again, again, kJavaCaller, kStub + 0x200});
}

TEST_CASE("walk arm64: a method with a large frame, and stubs, at each of their instructions",
          "[unwind][walk][arm64]") {
  check_each(kCallee,
             std::vector<uint32_t>{
                 0xd503201f, 0xa9bf7bfd, 0xd2800608, 0xd100c3ff,  // nop; stp x29, x30, [sp, #-16]!; mov; sub sp, #48
                 0xd503201f, 0xd503201f, 0xd503201f, 0xd503201f, 0xd503201f, 0xd503201f, 0xd503201f,
                 0xd503201f, 0xd503201f, 0xd503201f, 0xd503201f, 0xd503201f, 0xd503201f, 0xd503201f,
                 0xaa0103fd, 0x9100c3ff, 0xa8c17bfd, 0xd65f03c0});  // add sp, sp, #48; ldp x29, x30, [sp], #16; ret
  // stp x29, x30, [sp, #-16]!; mov x29, sp; sub sp, sp, #240; nop; mov sp, x29; ldp x29, x30, [sp], #16; b
  check_each(kRuntimeStub,
             std::vector<uint32_t>{0xa9bf7bfd, 0x910003fd, 0xd103c3ff, 0xd503201f, 0x910003bf, 0xa8c17bfd, 0x14000000});
  // The same with code that has no size of frames, and code that makes none.
  check_each(kStub + 0x800,
             std::vector<uint32_t>{0xa9bf7bfd, 0x910003fd, 0xd503201f, 0x910003bf, 0xa8c17bfd, 0xaa1f03e0, 0xd65f03c0});
  check_each(kStub + 0x900, std::vector<uint32_t>{0xd503201f, 0xd503201f, 0xd65f03c0});
}

TEST_CASE("walk arm64: a method that the machine has just called, without a frame yet", "[unwind][walk][arm64]") {
  Stopped thread(arch::kAarch64);
  thread.set(kPc, kInterpreter + 0x10);
  thread.set(kStackPointer, kStack);
  thread.set(kFrame, kEntryFrame);
  thread.set(kLink, kStub + 0x200);
  CHECK(thread.frames() == Frames{kInterpreter + 0x10, kStub + 0x200});
}

TEST_CASE("walk arm64: an interpreted method that compiled code has called, while its frame is made and taken away",
          "[unwind][walk][arm64]") {
  const uint64_t made = kStack - 0x40;  // where its frame is
  struct Moment {
    uint32_t instruction;
    uint64_t stack, frame, x13, x20;
    bool is_saved;
  };
  const uint64_t outer = kStack + 0x100, none = 0;  // x29 of an interpreted method further out, and what x13 may be
  for (const Moment &now : {
           Moment{0xd503201f, kStack - 0x20, outer, kStack, kStack - 0x20, false},  // arguments lie below the caller
           Moment{0x9100a3fd, made - 0x50, outer, kStack, made - 0x50, true},       // add x29, sp, #80
           Moment{0xa90437ff, made - 0x50, made, kStack, made - 0x50, true},        // stp xzr, x13, [sp, #64]
           Moment{0x927cee9f, made + 0x10, outer, none, kStack, false},             // and sp, x20, #-16
           Moment{0xd65f03c0, kStack, outer, kStack + 0x10, kStack, false},         // ret
       }) {
    INFO(std::hex << now.instruction);
    Stopped thread(arch::kAarch64);
    thread.code(kInterpreter + 0x100, std::array<uint32_t, 1>{now.instruction});
    thread.interpreted_frame(outer);
    compiled_frame(thread, kStack);
    thread.word(kStack + 16, outer);
    thread.word(kStack + 24, kInterpreter + 0x800);
    if (now.is_saved) {
      thread.word(made, outer);
      thread.word(made + 8, kJavaCaller);
    }
    thread.set(kPc, kInterpreter + 0x100);
    thread.set(kStackPointer, now.stack);
    thread.set(kFrame, now.frame);
    thread.set(kLink, kJavaCaller);
    thread.set(kX13, now.x13);
    thread.set(kX20, now.x20);
    CHECK(thread.frames() == Frames{kInterpreter + 0x100, kJavaCaller, kInterpreter + 0x800, kStub + 0x200});
  }
}

TEST_CASE("walk arm64: an interpreted method and what it has called", "[unwind][walk][arm64]") {
  // x30 is the interpreter's own: of a call of the machine, or where a method has returned to.
  for (const uint64_t link : {kInterpreter + 0x900, kStub + 0x200}) {
    Stopped thread(arch::kAarch64);
    thread.interpreted_frame(kStack + 0x80);
    thread.set(kPc, kInterpreter + 0x400);
    thread.set(kStackPointer, kStack);
    thread.set(kFrame, kStack + 0x80);
    thread.set(kLink, link);
    CHECK(thread.frames() == Frames{kInterpreter + 0x400, kStub + 0x200});
  }
}

TEST_CASE("walk arm64: an interpreted caller whose stack pointer lies below the frame that it has called",
          "[unwind][walk][arm64]") {
  Stopped thread(arch::kAarch64);
  const uint64_t callee = kStack + 0x80, caller = kStack + 0x100;
  thread.interpreted_frame(callee);
  thread.word(callee - 8, kStack + 0x40);
  thread.word(callee, caller);
  thread.word(callee + 8, kInterpreter + 0x800);
  thread.interpreted_frame(caller);
  thread.set(kPc, kInterpreter + 0x400);
  thread.set(kStackPointer, kStack);
  thread.set(kFrame, callee);
  thread.set(kLink, kInterpreter + 0x900);
  CHECK(thread.frames() == Frames{kInterpreter + 0x400, kInterpreter + 0x800, kStub + 0x200});
}

TEST_CASE("walk arm64: an adapter before and after it has put arguments below its compiled caller's frame",
          "[unwind][walk][arm64]") {
  // mov x13, sp; sub sp, sp, #32; stp x2, x1, [sp, #8]; mov x20, sp; br x8
  constexpr std::array<uint32_t, 5> kCode{0x910003ed, 0xd10083ff, 0xa90087e2, 0x910003f4, 0xd61f0100};
  for (size_t i = 0; i < kCode.size(); ++i) {
    Stopped thread(arch::kAarch64);
    thread.code(kAdapter + 0x40, kCode);
    compiled_frame(thread, kStack);
    thread.set(kPc, kAdapter + 0x40 + 4 * i);
    thread.set(kStackPointer, i < 2 ? kStack : kStack - 0x20);
    thread.set(kFrame, 42);  // compiled code's
    thread.set(kLink, kJavaCaller);
    thread.set(kX13, i == 0 ? kStack + 0x10 : kStack);
    CHECK(thread.frames() == Frames{thread.get(kPc), kJavaCaller, kStub + 0x200});
  }
}

}  // namespace aarch64
}  // namespace dtrace::runtime::test
