// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/process_parent.h"

#include <fmt/format.h>

#include <charconv>
#include <string>

#include "base/read_file.h"

namespace dtrace::runtime {

pid_t parent_of(pid_t pid) {
  const Result<std::string> stat = read_file(fmt::format("/proc/{}/stat", pid));
  // The command may hold blanks and parentheses, so count from the last ')': " S PARENT".
  constexpr size_t kToParent = 4;
  const size_t command_end = stat ? stat->rfind(')') : std::string::npos;
  if (command_end == std::string::npos || stat->size() - command_end <= kToParent) return 0;
  const char *begin = stat->data() + command_end + kToParent;
  pid_t parent = 0;
  const auto [end, error] = std::from_chars(begin, stat->data() + stat->size(), parent);
  return error == std::errc() ? parent : 0;
}

}  // namespace dtrace::runtime
