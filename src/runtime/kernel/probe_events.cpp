// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernel/probe_events.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/read_file.h"
#include "runtime/kernel/kernel_info.h"

namespace dtrace::runtime {
namespace {

constexpr rlim_t kMaxFiles = 1 << 20;  // what the kernel allows at most by default

ProbeEvents read_source(const std::string &name) {
  ProbeEvents found;
  const std::string source = "/sys/bus/event_source/devices/" + name + "/";
  if (Result<std::string> type = read_file(source + "type"))
    found.type = static_cast<uint32_t>(std::strtoul(type->c_str(), nullptr, 10));
  if (Result<std::string> format = read_file(source + "format/retprobe"); format && format->starts_with("config:"))
    found.return_flag = uint64_t{1} << std::strtoul(format->c_str() + 7, nullptr, 10);
  return found;
}

}  // namespace

const ProbeEvents &ProbeEvents::of_kernel() {
  static const ProbeEvents events = read_source("kprobe");
  return events;
}

const ProbeEvents &ProbeEvents::of_user_programs() {
  static const ProbeEvents events = read_source("uprobe");
  return events;
}

void allow_many_events() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlimit most{.rlim_cur = kMaxFiles, .rlim_max = std::max(limit.rlim_max, kMaxFiles)};
  if (limit.rlim_cur >= kMaxFiles || setrlimit(RLIMIT_NOFILE, &most) == 0) return;
  limit.rlim_cur = limit.rlim_max;  // without privileges, only what was given
  (void)setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace dtrace::runtime
