// SPDX-License-Identifier: Apache-2.0
// What BPF programs cost, where the kernel measures that.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dtrace::runtime {

class Enabling;

struct ProgramCost {
  std::string program;
  uint64_t run_ns = 0;
  uint64_t runs = 0;
};

/// Run times since the programs were loaded. Empty unless sysctl kernel.bpf_stats_enabled is on: to measure costs the
/// traced system some 20 ns a run, so dtrace does not switch it on.
std::vector<ProgramCost> program_costs(const Enabling &enabling);

}  // namespace dtrace::runtime
