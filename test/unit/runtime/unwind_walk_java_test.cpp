// SPDX-License-Identifier: Apache-2.0
// Walks of Java stacks in memory that is made up: threads that are stopped where a frame is being made.
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "bpf/dt_hotspot.h"
#include "bpf/dt_managed.h"
#include "unwind_host.h"

#ifdef __x86_64__

namespace dtrace::runtime::test {
namespace {

using Frames = std::vector<uint64_t>;

constexpr pid_t kPid = 1;  // as good as any: nothing of it is read
constexpr uint64_t kCache = 0x100000, kCacheBytes = 0x100000, kSegmentMap = 0x900000, kSegmentShift = 7;
constexpr uint64_t kBlobHeaderBytes = 0x100;  // from the block's start to its code
constexpr uint64_t kInterpreter = 0x110000, kStub = 0x114000, kAdapter = 0x116000, kCompiled = 0x119000;
constexpr uint64_t kBlobBytes = 0x1000;
constexpr uint64_t kStack = 0x7000000, kEntryFrame = kStack + 0x400;
// Words of struct pt_regs.
constexpr size_t kR13 = 2, kFrame = 4, kRax = 10, kPc = 16, kStackPointer = 19;

/// A stopped thread; memory is 0 where nothing was put.
class Stopped {
 public:
  Stopped() {
    dt_hotspot known{};
    known.language = DT_MANAGED_JAVA;
    known.cache_start = kCache;
    known.cache_bytes = kCacheBytes;
    known.interpreter_start = kInterpreter;
    known.interpreter_bytes = kBlobBytes;
    known.heaps[0] = {kCache, kCacheBytes, kSegmentMap, kSegmentShift, 0};
    known.block_header_bytes = 16;
    known.name = 96;
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
    // The frame of the stub that calls Java: parameters, the entry point, no method. It was called from nowhere.
    word(kEntryFrame - 8, kEntryFrame + 0x100);
    word(kEntryFrame - 16, kInterpreter);
  }

  void word(uint64_t address, uint64_t value) {
    for (unsigned i = 0; i < sizeof value; ++i) bytes_[address + i] = static_cast<uint8_t>(value >> (8 * i));
  }
  void set(size_t which, uint64_t value) { registers_.words[which] = value; }
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
    word(at + 28, frame_words);
    word(at + 32, code);
  }

  HostWalker host_;
  std::map<uint64_t, uint8_t> bytes_;
  StoppedRegisters registers_;
};

}  // namespace

TEST_CASE("walk: a method that the machine has just called, without a frame yet", "[unwind][walk]") {
  Stopped thread;
  thread.set(kPc, kInterpreter + 0x10);
  thread.set(kStackPointer, kStack);
  thread.set(kFrame, kEntryFrame);
  thread.word(kStack, kStub + 0x200);
  CHECK(thread.frames() == Frames{kInterpreter + 0x10, kStub + 0x200});
}

TEST_CASE("walk: an interpreted frame of which only the first words are there", "[unwind][walk]") {
  for (const uint64_t pushed : {0, 8}) {
    Stopped thread;
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
  Stopped thread;
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

}  // namespace dtrace::runtime::test

#endif
