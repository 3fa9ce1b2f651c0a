// SPDX-License-Identifier: Apache-2.0
// /tmp/perf-PID.map: where JIT compilers (JVM agents, node --perf-basic-prof, Python -X perf) say what their code is.
//
// What a reader would get wrong: the file is appended to while the program runs and addresses are used again, so of
// two lines for one address the later is right; and it lies in a folder everybody writes to, so its owner is checked.
//
// A program that compiles while it is traced appends with each address that we name. So only what was appended is read,
// and the lines are kept in sorted runs, each at most half as long as the run before: a line is sorted and merged a
// number of times that grows with the logarithm of the map's length, however often refresh() is called.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/owned.h"
#include "runtime/foreign/jit_dump.h"
#include "runtime/foreign/process_maps.h"

namespace dtrace::runtime {

class PerfMap {
 public:
  struct Hit {
    std::string_view name;  ///< good until the next refresh()
    uint64_t offset = 0;
  };

  /// Opens the map of a live process, in its own root and by the pid it has there. Absent is not an error: no map.
  /// The open file outlives the process.
  static std::optional<PerfMap> open(pid_t pid);
  /// The dump of a live process whose mapping that is (jit_dump.h), as if it were a map.
  static std::optional<PerfMap> open_dump(pid_t pid, const MapEntry &mapping);
  static PerfMap from_text(std::string_view text);

  /// Reads on if the file grew since, and all of it if it was written anew. Returns true if there were new lines.
  bool refresh();
  std::optional<Hit> by_address(uint64_t address) const;
  /// "perf-PID.map", "jit-PID.dump": what stands for the object's name.
  const std::string &name() const { return name_; }
  /// For tests: how many lines refresh() has moved in memory by now, and how many there are.
  uint64_t merged_lines() const { return merged_lines_; }
  size_t line_count() const;

 private:
  struct Entry {
    uint64_t start;
    uint64_t end;
    uint64_t reach;  // greatest end of this entry and all before it: where a backward search may stop
    uint32_t name;   // offset into names_, NUL-terminated; grows with the line number
  };
  using Run = std::vector<Entry>;  // by start, later lines last

  void take_text(std::string_view text, Run &fresh);
  void take_line(std::string_view line, Run &fresh);
  void take_code(uint64_t start, uint64_t size_bytes, std::string_view name, Run &fresh);
  bool read_dump(uint64_t size_bytes);
  void add_run(Run fresh);
  bool was_rewritten(uint64_t size_bytes) const;
  void start_anew();
  static const Entry *find(const Run &run, uint64_t address, const Entry *best);

  Fd fd_;
  std::optional<JitDump> dump_;
  std::string name_;
  uint64_t read_bytes_ = 0;
  uint64_t next_restart_ns_ = 0;
  std::string last_bytes_;  // that were read: they change if the file is written anew
  std::string unfinished_;  // the beginning of a line whose end is not in the file yet
  bool skips_line_ = false;
  std::vector<Run> runs_;
  std::string names_;
  uint64_t merged_lines_ = 0;
};

}  // namespace dtrace::runtime
