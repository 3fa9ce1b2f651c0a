// SPDX-License-Identifier: Apache-2.0
// What debug information says of one program's file: its types, functions and lines. Read when a D program first asks.
#pragma once

#include <sys/types.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "runtime/debug_info/call_values.h"
#include "runtime/debug_info/code_frames.h"
#include "runtime/debug_info/dwarf_file.h"
#include "runtime/debug_info/dwarf_functions.h"
#include "runtime/debug_info/dwarf_lines.h"
#include "runtime/debug_info/dwarf_types.h"
#include "runtime/debug_info/inlined_calls.h"
#include "runtime/debug_info/value_location.h"
#include "runtime/user/user_object.h"

namespace dtrace::runtime {

class ObjectDebugInfo {
 public:
  /// Errors: as of DwarfFile::open().
  static Result<std::unique_ptr<ObjectDebugInfo>> open(const std::shared_ptr<UserObject> &object, pid_t pid,
                                                       const DebugSources &sources = {});

  DwarfFile &file() { return *file_; }
  /// The file whose code it describes, the first of its copies.
  const UserFile *described() const { return described_->file().get(); }
  DwarfTypes &types() { return types_; }
  DwarfFunctions &functions() { return functions_; }
  DwarfLines &lines() { return lines_; }
  InlinedCalls &inlined() { return inlined_; }
  CodeFrames &frames() { return frames_; }
  CallValues &call_values() { return call_values_; }
  /// May other files call the function that begins there? Nothing: no symbol names it.
  std::optional<bool> is_global(uint64_t address) const;
  /// An instruction of a function that the debug information describes.
  std::optional<CodePoint> point_at(uint64_t pc);

 private:
  ObjectDebugInfo(std::unique_ptr<DwarfFile> file, std::shared_ptr<UserObject> object);

  std::unique_ptr<DwarfFile> file_;
  std::shared_ptr<UserObject> described_;
  DwarfTypes types_;
  DwarfFunctions functions_;
  DwarfLines lines_;
  InlinedCalls inlined_;
  CodeFrames frames_;
  CallValues call_values_;
};

/// Keeps the debug information of every requested file. A file that could not be read is not tried again. Copies of a
/// file, as containers have them, share what was read of the first: their types are the same.
class DebugInfoCache {
 public:
  /// `pid` has the object mapped; 0: debug files are those of this file system.
  Result<ObjectDebugInfo *> of(const std::shared_ptr<UserObject> &object, pid_t pid);
  /// Forgets that these could not be read, and copies. What was read, types may refer to.
  void forget(const std::set<const UserFile *> &files);
  void use(DebugSources sources) { sources_ = std::move(sources); }
  /// From now on nothing is fetched.
  void stop_fetching() { sources_.fetch = nullptr; }

 private:
  /// What copies have in common: the build ID, and where the code lies.
  struct Build {
    std::vector<uint8_t> id;
    std::vector<std::pair<uint64_t, uint64_t>> code;  ///< address and bytes of each segment
    auto operator<=>(const Build &) const = default;
  };
  struct Entry {
    std::shared_ptr<UserObject> object;  // keeps its address from being another's
    ObjectDebugInfo *info = nullptr;
    std::string failure;
  };
  static std::optional<Build> build_of(const UserObject &object);

  std::map<const UserObject *, Entry> entries_;
  std::vector<std::unique_ptr<ObjectDebugInfo>> read_;
  std::map<Build, ObjectDebugInfo *> by_build_;
  DebugSources sources_;
};

}  // namespace dtrace::runtime
