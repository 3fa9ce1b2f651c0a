// SPDX-License-Identifier: Apache-2.0
// Packages of split debug information (.dwp), as dwp and llvm-dwp make them: the sections of many .dwo files one after
// another, and an index that says which part of each belongs to which unit.
// Source: DWARF 5, 7.3.5; the index of version 2 is GCC's, for DWARF 4.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/owned.h"
#include "base/result.h"
#include "runtime/foreign/dwarf_image.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {

class DwarfPackage {
 public:
  /// Reads the index. Errors: a sentence.
  static Result<std::unique_ptr<DwarfPackage>> open(Fd file);

  bool has(uint64_t id) const { return units_.contains(id); }
  /// IDs of units, at most `most`.
  std::vector<uint64_t> ids(size_t most) const;
  /// The parts of the unit with this ID, under the names of unsplit sections, strings that it names only.
  /// Errors: a part lies outside of its section, or has more than `most_bytes`.
  Result<std::vector<DwarfSection>> unit(uint64_t id, uint64_t most_bytes);

 private:
  DwarfPackage() = default;
  struct Part {
    std::string_view section;  // without .debug_ and .dwo
    uint32_t offset = 0, size_bytes = 0;
  };
  Result<dtrace::Unit> read_index();
  const std::vector<std::byte> &section(std::string_view name);

  Fd file_;
  std::unique_ptr<usdt::FileSource> source_;
  std::unique_ptr<usdt::ElfFile> elf_;
  std::map<uint64_t, std::vector<Part>> units_;
  std::map<std::string, std::vector<std::byte>, std::less<>> sections_;  // decompressed, as far as they were asked for
  uint64_t bytes_left_ = 0;
};

}  // namespace dtrace::runtime
