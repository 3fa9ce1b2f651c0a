// SPDX-License-Identifier: Apache-2.0
// Why a kernel function has no probe.
#include "runtime/probes/providers/absent_function.h"

#include <catch2/catch.hpp>

using namespace dtrace;
using namespace dtrace::runtime;

TEST_CASE("absent functions: forbidden, changed, elsewhere, inlined or misspelt", "[fbt]") {
  constexpr std::string_view kSymbols =
      "ffffffff81000000 T irq_enter_rcu\n"
      "ffffffff81000100 t shrink_one.isra.0\n"
      "ffffffff81000200 D vfs_data\n"
      "ffffffffc0000000 t ext4_sync\t[ext4]\n"
      "ffffffff81000300 t same_start_more\n"
      "not a line\n";
  const Absence forbidden = absent_function(kSymbols, "", "irq_enter_rcu");
  CHECK(forbidden.reason == "irq_enter_rcu is a function of vmlinux, but the kernel forbids probes in it");
  CHECK(forbidden.is_certain);
  CHECK(absent_function(kSymbols, "vmlinux", "irq_enter_rcu").reason == forbidden.reason);
  CHECK(absent_function(kSymbols, "ext4", "irq_enter_rcu").reason ==
        "irq_enter_rcu is a function of vmlinux: fbt:vmlinux:irq_enter_rcu:");
  CHECK(absent_function(kSymbols, "vmlinux", "ext4_sync").reason ==
        "ext4_sync is a function of ext4: fbt:ext4:ext4_sync:");
  CHECK(absent_function(kSymbols, "", "shrink_one").reason ==
        "the compiler has changed shrink_one, so its arguments are not known: use rawfbt:vmlinux:shrink_one.isra.0:");
  for (const char *name : {"vfs_data", "same_start", "vfs_raed"}) {
    const Absence absent = absent_function(kSymbols, "", name);
    CHECK(absent.reason.ends_with(": it is misspelt, or the compiler has inlined it"));
    CHECK_FALSE(absent.is_certain);
  }
  CHECK_FALSE(absent_function("", "", "x").is_certain);
}
