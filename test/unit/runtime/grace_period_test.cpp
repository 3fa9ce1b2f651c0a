// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/grace_period.h"

#include <catch2/catch.hpp>

#include "kernel_lacks.h"

namespace dtrace::runtime {

TEST_CASE("running programs can be waited for, also where the kernel refuses a barrier", "[kernel]") {
  SKIP_WITHOUT(kBpf);
  REQUIRE(wait_for_running_programs());
  REQUIRE(wait_by_replacing_a_map());
}

}  // namespace dtrace::runtime
