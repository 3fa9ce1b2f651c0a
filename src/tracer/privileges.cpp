// SPDX-License-Identifier: Apache-2.0
#include "tracer/privileges.h"

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string_view>

namespace dtrace::tracer {
namespace {

struct Needed {
  unsigned capability;
  std::string_view name;
};
constexpr Needed kNeeded[] = {{CAP_BPF, "CAP_BPF"}, {CAP_PERFMON, "CAP_PERFMON"}};

}  // namespace

std::string missing_privileges() {
  if (geteuid() == 0) return {};
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
  (void)syscall(SYS_capget, &header, data);  // refused: nothing is set
  auto has = [&](unsigned capability) { return (data[capability / 32].effective >> capability % 32 & 1) != 0; };
  if (has(CAP_SYS_ADMIN)) return {};
  std::string missing;
  for (const Needed &row : kNeeded)
    if (!has(row.capability)) missing.append(missing.empty() ? "" : " and ").append(row.name);
  return missing;
}

}  // namespace dtrace::tracer
