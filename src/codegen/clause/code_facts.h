// SPDX-License-Identifier: Apache-2.0
// Facts that only emission finds out and that belong in the plan.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace dtrace::codegen {

struct CodeFacts {
  bool uses_scratch = false, shows_managed = false, names_cgroups = false;
  std::optional<dt_unwind_layout> unwind{};
  std::vector<CgroupTest> cgroup_tests{};
  std::map<uint32_t, std::string> managed_maps{};  ///< by index into Plan::programs

  void add_to(Plan &plan) const {
    plan.uses_scratch = uses_scratch;
    plan.shows_managed = shows_managed;
    plan.names_cgroups = names_cgroups;
    plan.unwind = unwind;
    plan.cgroup_tests = cgroup_tests;
    for (const auto &[program, map] : managed_maps) plan.programs.at(program).managed_map = map;
  }
};

}  // namespace dtrace::codegen
