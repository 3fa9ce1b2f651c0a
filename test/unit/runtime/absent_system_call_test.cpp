// SPDX-License-Identifier: Apache-2.0
#include "runtime/probes/providers/absent_system_call.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <span>
#include <string_view>

namespace dtrace::runtime {

TEST_CASE("absent system call: what arm64 has instead", "[providers]") {
  const std::span<const arch::SystemCall> arm = arch::kAarch64.system_calls, x86 = arch::kX86_64.system_calls;
  const Absence open = absent_system_call(arm, "open");
  CHECK(open.reason == "this machine has no system call open: programs call openat; with -Z a script may name both");
  CHECK(open.is_certain);
  CHECK(absent_system_call(arm, "openat").reason.empty());
  CHECK(absent_system_call(arm, "opne").reason.empty());
  CHECK(absent_system_call(x86, "open").reason.empty());
  // All that only x86-64 has, but these, which have no successor.
  const std::set<std::string_view> alone{"arch_prctl", "ioperm", "iopl", "modify_ldt", "sysfs", "ustat"};
  for (const arch::SystemCall &call : x86) {
    const bool is_of_both = std::ranges::find(arm, call.name, &arch::SystemCall::name) != arm.end();
    CAPTURE(call.name);
    CHECK(absent_system_call(arm, call.name).reason.empty() == (is_of_both || alone.contains(call.name)));
  }
}

}  // namespace dtrace::runtime
