// SPDX-License-Identifier: Apache-2.0
// Modules and functions by which scripts for other systems name probes of providers that every DTrace has.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace dtrace::runtime {

/// illumos', FreeBSD's or macOS' module of a stable provider; here its probes are the kernel's.
inline bool is_foreign_module(std::string_view name) {
  static constexpr std::string_view kModules[] = {"genunix", "unix", "kernel", "freebsd", "mach_kernel", "ip",  "sd",
                                                  "nfs",     "TS",   "IA",     "FX",      "RT",          "FSS", "SYS"};
  return std::ranges::find(kModules, name) != std::end(kModules);
}

/// The probes of a stable provider that are in a function of theirs, separated by blanks; empty: not known.
inline std::string_view foreign_probes(std::string_view provider, std::string_view function) {
  struct Row {
    std::string_view provider, function, probes;
  };
  static constexpr Row kRows[] = {
      {"io", "bdev_strategy", "start"},
      {"io", "biodone", "done"},
      {"io", "biowait", "wait-start wait-done"},
      {"proc", "cfork", "create"},
      {"proc", "exec_common", "exec exec-success exec-failure"},
      {"proc", "proc_exit", "exit"},
      {"sched", "resume", "on-cpu off-cpu"},
      {"sched", "preempt", "preempt"},
      {"sched", "yield", "surrender"},
      {"sched", "setbackdq", "enqueue"},
      {"sched", "setfrontdq", "enqueue"},
      {"sched", "dispdeq", "dequeue"},
      {"sched", "clock_tick", "tick"},
      {"sched", "thread_change_pri", "change-pri"},
  };
  const auto *row =
      std::ranges::find_if(kRows, [&](const Row &r) { return r.provider == provider && r.function == function; });
  return row == std::end(kRows) ? std::string_view() : row->probes;
}

/// Is `word` one of those that blanks separate in `words`?
inline bool is_word_of(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const size_t blank = words.find(' ');
    if (words.substr(0, blank) == word) return true;
    words.remove_prefix(blank == std::string_view::npos ? words.size() : blank + 1);
  }
  return false;
}

}  // namespace dtrace::runtime
