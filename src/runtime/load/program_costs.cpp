// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/program_costs.h"

#include <bpf/bpf.h>
#include <fcntl.h>
#include <unistd.h>

#include <map>
#include <utility>

#include "base/owned.h"
#include "runtime/load/enabling.h"

namespace dtrace::runtime {
namespace {

bool are_measured() {
  const Fd file(open("/proc/sys/kernel/bpf_stats_enabled", O_RDONLY | O_CLOEXEC));
  char digit = '0';
  return file && read(file.get(), &digit, 1) == 1 && digit != '0';
}

}  // namespace

std::vector<ProgramCost> program_costs(const Enabling &enabling) {
  if (!are_measured()) return {};
  std::map<std::string, ProgramCost> by_name;
  for (const LoadedProgram &program : enabling.programs()) {
    bpf_prog_info info{};
    uint32_t size = sizeof info;
    if (bpf_obj_get_info_by_fd(program.fd, &info, &size) != 0) continue;
    ProgramCost &cost = by_name.try_emplace(program.name, ProgramCost{program.name}).first->second;
    cost.run_ns += info.run_time_ns;
    cost.runs += info.run_cnt;
  }
  std::vector<ProgramCost> costs;
  for (auto &[name, cost] : by_name) costs.push_back(std::move(cost));
  return costs;
}

}  // namespace dtrace::runtime
