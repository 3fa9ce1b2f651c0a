// SPDX-License-Identifier: Apache-2.0
#include "runtime/attach/attach_parts.h"

#include <algorithm>
#include <string>

#include "base/read_file.h"
#include "runtime/kernel/busy_functions.h"

namespace dtrace::runtime {
namespace {

bool is_divisible(const ProgramPlan &plan) {
  const bool is_of_functions = plan.hook.is<KernelEntryHook>() || plan.hook.is<KernelReturnHook>();
  return plan.multi && is_of_functions && plan.sites.size() >= kMinSitesToDivide;
}

}  // namespace

std::vector<uint64_t> find_busy_functions(std::span<const ProgramPlan *const> programs) {
  const auto divisible = [](const ProgramPlan *plan) { return is_divisible(*plan); };
  if (std::none_of(programs.begin(), programs.end(), divisible)) return {};
  // The plan has addresses only. To read the names again takes some 40 ms, the probes seconds.
  const Result<std::string> symbols = read_file("/proc/kallsyms");
  return symbols ? busy_addresses(*symbols) : std::vector<uint64_t>();
}

SiteParts divide_sites(const ProgramPlan &plan, std::span<const uint64_t> busy) {
  if (!is_divisible(plan) || busy.empty()) return {{}, plan.sites, {}};
  SiteParts parts{plan.sites, {}, {}};
  const auto is_first = [&](const SitePlan &site) {
    return !std::binary_search(busy.begin(), busy.end(), site.site.offset);
  };
  const auto last = std::stable_partition(parts.divided.begin(), parts.divided.end(), is_first);
  parts.first = {parts.divided.begin(), last};
  parts.last = {last, parts.divided.end()};
  return parts;
}

}  // namespace dtrace::runtime
