// SPDX-License-Identifier: Apache-2.0
#include "runtime/probes/providers/named_processes.h"

#include <fmt/format.h>

#include "base/printable.h"
#include "base/read_file.h"

namespace dtrace::runtime {

std::string named_processes(std::span<const pid_t> pids) {
  if (pids.size() != 1) return fmt::format("{} processes", pids.size());
  Result<std::string> name = read_file(fmt::format("/proc/{}/comm", pids.front()));
  if (!name) return fmt::format("process {}", pids.front());
  while (name->ends_with('\n')) name->pop_back();
  return fmt::format("process {} ({})", pids.front(), printable(*name));
}

}  // namespace dtrace::runtime
