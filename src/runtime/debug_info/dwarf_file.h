// SPDX-License-Identifier: Apache-2.0
// The debug information of one program's file, wherever it is: in the file, in a debug file of its build ID or debug
// link, in part in a file that several share (dwz). All of it is in memory of our own (runtime/foreign/dwarf_image.h).
#pragma once

#include <elfutils/libdw.h>
#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "plan/object_store.h"
#include "plan/user_site.h"
#include "runtime/debug_info/debug_sources.h"
#include "runtime/debug_info/split_units.h"
#include "runtime/foreign/dwarf_entry.h"
#include "runtime/foreign/dwarf_image.h"

namespace dtrace::runtime {

class DwarfFile {
 public:
  /// In:     an open file, and a process that has it mapped, in whose root debug files are looked for as well.
  /// Errors: there is no debug information, more than is read, or none that we can read; a sentence for users.
  /// Cost:   all its debug sections are read and decompressed: 0.1 to 0.4 s for the largest libraries. What a store has
  ///         of an earlier run is read only.
  static Result<std::unique_ptr<DwarfFile>> open(const UserFile &file, pid_t pid, const DebugSources &sources);

  Dwarf *get() const { return image_.get(); }
  /// The supplementary file, which several debug files share (made by dwz); null: there is none.
  Dwarf *shared() const { return shared_ ? shared_->get() : nullptr; }
  /// The unit that has what a unit's entry leaves out (-gsplit-dwarf): itself, or one of another file.
  /// Errors: that file cannot be read; a sentence with its name.
  Result<Dwarf_Die> whole_unit(Dwarf_Die unit);
  /// Reads all units of other files. Errors: of the first that cannot be read.
  Result<Unit> read_split_units();
  /// Why a unit that was asked for is not known; empty: none is missing.
  const std::string &missing_unit() const { return missing_unit_; }
  /// An index of the file's names (name_index.h) from an earlier run; keep_names() keeps one for the next. Nothing is
  /// kept of small files, of those without a build ID, and of those that share entries with others (dwz).
  std::optional<std::string> kept_names();
  void keep_names(std::string_view index);
  bool keeps_names();
  /// Are some entries not in the file's own .debug_info, but in .debug_types or in split units?
  bool has_other_sections();
  /// Bounds all walks through this file together.
  DwarfBudget &budget() { return budget_; }

 private:
  DwarfFile(DwarfImage image, std::optional<DwarfImage> shared, FilePlace place);

  std::function<ObjectStore *()> store_;  // of names
  std::optional<ObjectKey> names_key_;
  std::optional<DwarfImage> shared_;  // before image_, which leads into it
  DwarfImage image_;
  SplitUnits split_;
  std::string missing_unit_;
  DwarfBudget budget_{limits::kMaxDwarfEntries, limits::kMaxUserTypes};
};

}  // namespace dtrace::runtime
