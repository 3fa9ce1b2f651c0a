// SPDX-License-Identifier: Apache-2.0
#include "runtime/process/macros.h"

#include <unistd.h>

#include <algorithm>

namespace dtrace::runtime {

namespace {

struct Macro {
  std::string_view name;
  int64_t (*value)(pid_t target);
};

constexpr Macro kMacros[] = {
    {"pid", [](pid_t) -> int64_t { return ::getpid(); }},   {"ppid", [](pid_t) -> int64_t { return ::getppid(); }},
    {"pgid", [](pid_t) -> int64_t { return ::getpgrp(); }}, {"sid", [](pid_t) -> int64_t { return ::getsid(0); }},
    {"uid", [](pid_t) -> int64_t { return ::getuid(); }},   {"euid", [](pid_t) -> int64_t { return ::geteuid(); }},
    {"gid", [](pid_t) -> int64_t { return ::getgid(); }},   {"egid", [](pid_t) -> int64_t { return ::getegid(); }},
    {"projid", [](pid_t) -> int64_t { return 0; }},         {"taskid", [](pid_t) -> int64_t { return 0; }},
    {"zoneid", [](pid_t) -> int64_t { return 0; }},         {"target", [](pid_t target) -> int64_t { return target; }},
};

}  // namespace

std::optional<int64_t> macro_value(std::string_view name, pid_t target) {
  const auto it =
      std::find_if(std::begin(kMacros), std::end(kMacros), [name](const Macro &m) { return m.name == name; });
  if (it == std::end(kMacros)) return std::nullopt;
  return it->value(target);
}

}  // namespace dtrace::runtime
