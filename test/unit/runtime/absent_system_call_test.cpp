// SPDX-License-Identifier: Apache-2.0
#include "runtime/probes/providers/absent_system_call.h"

#include <catch2/catch.hpp>

namespace dtrace::runtime {

TEST_CASE("absent system call: what arm64 has instead", "[providers]") {
  const std::span<const arch::SystemCall> arm = arch::kAarch64.system_calls, x86 = arch::kX86_64.system_calls;
  const Absence open = absent_system_call(arm, "open");
  CHECK(open.reason == "this machine has no system call open: programs call openat; with -Z a script may name both");
  CHECK(open.is_certain);
  CHECK(absent_system_call(arm, "openat").reason.empty());
  CHECK(absent_system_call(arm, "opne").reason.empty());
  CHECK(absent_system_call(x86, "open").reason.empty());
  // Every call of x86-64 alone that old scripts name is known.
  for (const std::string_view name : {"stat", "fork", "poll", "select", "unlink", "epoll_wait", "getdents", "utime"}) {
    CAPTURE(name);
    CHECK_FALSE(absent_system_call(arm, name).reason.empty());
  }
}

}  // namespace dtrace::runtime
