// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/program_costs.h"

#include <bpf/bpf.h>
#include <fcntl.h>
#include <unistd.h>

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
  std::vector<ProgramCost> costs;
  if (!are_measured()) return costs;
  for (const ProgramPlan &plan : enabling.plan().programs) {
    const int fd = enabling.program_fd(plan.function);
    bpf_prog_info info{};
    uint32_t size = sizeof info;
    if (fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &size) == 0)
      costs.push_back({plan.function, info.run_time_ns, info.run_cnt});
  }
  return costs;
}

}  // namespace dtrace::runtime
