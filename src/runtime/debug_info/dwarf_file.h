// SPDX-License-Identifier: Apache-2.0
// The debug information of one program's file, wherever it is: in the file, in a debug file of its build ID or debug
// link, in part in a file that several share (dwz). All of it is in memory of our own (runtime/foreign/dwarf_image.h).
#pragma once

#include <elfutils/libdw.h>
#include <sys/types.h>

#include <memory>
#include <optional>

#include "base/result.h"
#include "plan/user_site.h"
#include "runtime/foreign/dwarf_entry.h"
#include "runtime/foreign/dwarf_image.h"

namespace dtrace::runtime {

class DwarfFile {
 public:
  /// In:     an open file, and a process that has it mapped, in whose root debug files are looked for as well.
  /// Errors: there is no debug information, more than is read, or none that we can read; a sentence for users.
  /// Cost:   all its debug sections are read and decompressed: 0.1 to 0.4 s for the largest libraries.
  static Result<std::unique_ptr<DwarfFile>> open(const UserFile &file, pid_t pid);

  Dwarf *get() const { return image_.get(); }
  /// Of the file that several share; null: there is none.
  Dwarf *shared() const { return shared_ ? shared_->get() : nullptr; }
  /// Of all walks through this file.
  DwarfBudget &budget() { return budget_; }

 private:
  DwarfFile(DwarfImage image, std::optional<DwarfImage> shared);

  std::optional<DwarfImage> shared_;  // before image_, which leads into it
  DwarfImage image_;
  DwarfBudget budget_{limits::kMaxDwarfEntries, limits::kMaxUserTypes};
};

}  // namespace dtrace::runtime
