// SPDX-License-Identifier: Apache-2.0
// /tmp/perf-PID.map: where JIT compilers (JVM agents, node --perf-basic-prof, Python -X perf) say what their code is.
//
// What a reader would get wrong: the file is appended to while the program runs and addresses are used again, so of
// two lines for one address the later is right; and it lies in a folder everybody writes to, so its owner is checked.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/owned.h"

namespace dtrace {

class PerfMap {
 public:
  struct Hit {
    std::string_view name;  ///< good until the next refresh()
    uint64_t offset = 0;
  };

  /// Opens the map of a live process, in its own root and by the pid it has there. Absent is not an error: no map.
  /// The open file outlives the process.
  static std::optional<PerfMap> open(pid_t pid);
  static PerfMap from_text(std::string_view text);

  /// Reads the file again if it grew since. Returns true if it did.
  bool refresh();
  std::optional<Hit> by_address(uint64_t address) const;
  /// "perf-PID.map": what stands for the object's name.
  const std::string &name() const { return name_; }

 private:
  struct Entry {
    uint64_t start;
    uint64_t end;
    uint64_t reach;  // greatest end of this entry and all before it: where a backward search may stop
    uint32_t name;   // offset into names_, NUL-terminated; grows with the line number
  };
  void parse(std::string_view text);

  Fd fd_;
  std::string name_;
  off_t parsed_bytes_ = 0;
  std::vector<Entry> entries_;  // by start, later lines last
  std::string names_;
};

}  // namespace dtrace
