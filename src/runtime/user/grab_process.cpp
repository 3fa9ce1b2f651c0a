// SPDX-License-Identifier: Apache-2.0
#include "runtime/user/grab_process.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <string>
#include <system_error>
#include <utility>

namespace dtrace::runtime {

Result<pid_t> process_number(std::string_view digits) {
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), pid);
  if (error == std::errc() && pid > 0) return pid;
  return Error(fmt::format("no process with pid {}{}", digits, digits == "0" ? ": $target is 0 without -c and -p" : ""))
      .tagged("D_PROC_BADPID");
}

Result<std::vector<MappedObject>> grab_process(UserObjects &objects, pid_t pid,
                                               std::vector<UserObjects::Refusal> *refusals) {
  Result<std::vector<MappedObject>> mapped = objects.of_process(pid, refusals);
  if (mapped) return mapped;
  const std::string doing = fmt::format("failed to grab process {}", pid);
  const int cause = mapped.error().errno_value();
  // What is not in /proc is no process: which file of it was asked for first says nothing.
  if (cause == ENOENT || cause == ESRCH) return Error::from_errno(doing, ESRCH).tagged("D_PROC_GRAB");
  return std::move(mapped).error().during(doing).tagged("D_PROC_GRAB");
}

}  // namespace dtrace::runtime
