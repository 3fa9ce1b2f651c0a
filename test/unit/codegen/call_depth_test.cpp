// SPDX-License-Identifier: Apache-2.0
// The stack of chains of calls, over objects that clang and the code generator made.
#include "codegen/call_depth.h"

#include <catch2/catch.hpp>

#include "bpf/library.h"
#include "test/unit/codegen/compile_fixture.h"

using namespace dtrace;
using namespace dtrace::codegen;
using namespace dtrace::test;

namespace {

std::span<const char> chars(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

}  // namespace

TEST_CASE("call depth: the walk of user stacks leaves room for a program that calls it", "[call_depth]") {
  // dt_unwind, its step, one of three that follow a frame, and what reads memory, at least.
  const CallDepth walk = call_depth(chars(unwind_object()), {});
  CHECK(walk.frames >= 4);
  CHECK(walk.stack_bytes >= 128);
  CHECK(walk.stack_bytes <= 288);
  CHECK(walk.stack_bytes % 32 == 0);
  const CallDepth native = call_depth(chars(unwind_native_object()), {});
  CHECK(native.stack_bytes <= walk.stack_bytes);
}

TEST_CASE("call depth: functions of another object count where they are called", "[call_depth]") {
  const Compiled compiled("BEGIN { trace(1); trace(strlen(strjoin(execname, probename))); }");
  REQUIRE(compiled.error.empty());
  const std::vector<char> &elf = compiled.object.elf;
  const CallDepth alone = call_depth(elf, {});
  CHECK(alone.frames >= 2);
  CHECK(alone.fits());
  CHECK(call_depth(elf, unwind_object()).stack_bytes == alone.stack_bytes);  // it calls none of them

  // The other way around: an object whose calls are of itself only.
  CHECK(call_depth(chars(unwind_object()), std::as_bytes(std::span(elf))).frames ==
        call_depth(chars(unwind_object()), {}).frames);
}

TEST_CASE("call depth: what is no object counts as nothing", "[call_depth]") {
  CHECK(call_depth({}, {}).frames == 0);
  const std::string text(4096, 'x');
  CHECK(call_depth(text, {}).stack_bytes == 0);
  std::span<const char> cut = chars(unwind_object());
  for (size_t size : {1, 16, 63, 64, 100, 1000}) CHECK(call_depth(cut.first(size), {}).stack_bytes == 0);
}
