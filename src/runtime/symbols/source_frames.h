// SPDX-License-Identifier: Apache-2.0
// What the debug information of one file (DWARF) says of an address: the functions that were inlined there, and the
// lines of the source.
//
// What a reader would get wrong: the file may be hostile. Each walk has a bound, of this file and of
// base/foreign_limits.h; what lies behind it is as if it were not there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {

struct SourceLine {
  std::string file;  ///< base name; empty: not known
  uint32_t line = 0;
};

/// The functions at an address, the innermost first.
struct SourceFrames {
  struct Inlined {
    std::string function;  ///< as linkers know it, else as the source has it
    SourceLine line;       ///< that it is at
  };
  std::vector<Inlined> inlined;
  SourceLine line;  ///< that the function around them is at
};

class SourceInfo {
 public:
  /// Errors: the file has no debug information, or more than is read.
  static Result<std::unique_ptr<SourceInfo>> read(const usdt::ElfFile &elf, bool wants_lines);
  /// About how much memory that takes.
  static uint64_t needed_bytes(const usdt::ElfFile &elf, bool wants_lines);
  ~SourceInfo();

  /// Frames of an address in the file. Good until the next call.
  const SourceFrames &at(uint64_t address);
  /// What this costs in memory.
  uint64_t memory_bytes() const;

 private:
  struct Impl;
  explicit SourceInfo(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace dtrace::runtime
