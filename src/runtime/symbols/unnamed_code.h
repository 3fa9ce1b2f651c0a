// SPDX-License-Identifier: Apache-2.0
// Code that a JIT compiler made and that no map names (/tmp/perf-PID.map, jit-PID.dump): whose it is, and which option
// of its program names it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dtrace::runtime {

/// What names the code of a program with a JIT compiler, by the base names of the files that it executes, its own
/// first. Empty: none of them is known.
std::string_view naming_option(const std::vector<std::string_view> &objects);

/// Samples whose stacks have such code.
class UnnamedCode {
 public:
  /// Forgets what was known of an aggregation. `is_counted`: it counts samples.
  void begin(uint32_t aggregation, bool is_counted) { of_[aggregation] = {is_counted, 0, {}}; }
  /// Adds a stack that was met `count` times. `option`: what would name its code; empty: it has names, or nobody
  /// knows.
  void add(uint32_t aggregation, std::string_view option, uint64_t count);
  /// A message for each option that would name one in a hundred samples or more.
  std::vector<std::string> messages() const;

 private:
  struct Tally {
    bool is_counted = false;
    uint64_t total = 0;
    std::map<std::string_view, uint64_t> by_option;
  };
  std::map<uint32_t, Tally> of_;
};

}  // namespace dtrace::runtime
