// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernel/probe_events.h"

#include <cstdlib>
#include <string>

#include "base/file_limit.h"
#include "base/read_file.h"
#include "runtime/kernel/kernel_info.h"

namespace dtrace::runtime {
namespace {

constexpr size_t kMaxFiles = 1 << 20;  // what the kernel allows at most by default

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

void allow_many_events() { raise_file_limit_to(kMaxFiles); }

}  // namespace dtrace::runtime
