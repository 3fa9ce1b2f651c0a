// SPDX-License-Identifier: Apache-2.0
// Split debug information (-gsplit-dwarf): the program has skeletons of its units, and each names a .dwo file that has
// the unit. A package (.dwp) has the units of many .dwo files.
//
// What a reader would get wrong: libdw would open files whose names it finds, and does not know packages. It is given
// an image of each unit instead, in which sections have the names of unsplit ones, with the unit's part of the
// program's addresses (.debug_addr): so addresses are right, and no unit knows another one.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/foreign_limits.h"
#include "base/result.h"
#include "runtime/foreign/dwarf_image.h"
#include "runtime/foreign/dwarf_package.h"
#include "runtime/usdt/debug_file.h"

namespace dtrace::runtime {

/// Has the unit only what the linker needs, and names the file that has the rest?
bool is_skeleton(Dwarf_Die *unit);

class SplitUnits {
 public:
  /// `skeletons` outlives this. `program`: the file that has them; its process's root is where files are looked for.
  SplitUnits(Dwarf *skeletons, FilePlace program) : skeletons_(skeletons), program_(std::move(program)) {}

  /// The unit of a skeleton. Errors: its file is not there, is of another build, or cannot be read; a sentence with the
  /// file's name. What failed once is not tried again.
  Result<Dwarf_Die> unit(Dwarf_Die *skeleton);

 private:
  struct Read {
    std::optional<DwarfImage> image;
    Dwarf_Die die{};
    std::string failure;
  };
  Result<Dwarf_Die> read(Dwarf_Die *skeleton, Read &unit);
  Result<std::vector<DwarfSection>> sections_of(Dwarf_Die *skeleton, uint64_t id);
  void add_addresses(Dwarf_Die *skeleton, std::vector<DwarfSection> &sections);
  void open_package();

  Dwarf *skeletons_;
  FilePlace program_;
  std::map<Dwarf_Off, Read> units_;      // by the skeleton's entry
  std::vector<uint64_t> address_bases_;  // of all skeletons, ascending
  std::unique_ptr<DwarfPackage> package_;
  std::string package_failure_;
  bool has_looked_for_package_ = false;
  uint64_t bytes_left_ = limits::kMaxDwarfBytes;
};

}  // namespace dtrace::runtime
