// SPDX-License-Identifier: Apache-2.0
// What debug information says of one program's file: its types, functions and lines. Read when a D program first asks.
#pragma once

#include <sys/types.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

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
  static Result<std::unique_ptr<ObjectDebugInfo>> open(const UserObject &object, pid_t pid,
                                                       const DebugSources &sources = {});

  DwarfFile &file() { return *file_; }
  DwarfTypes &types() { return types_; }
  DwarfFunctions &functions() { return functions_; }
  DwarfLines &lines() { return lines_; }
  InlinedCalls &inlined() { return inlined_; }
  CodeFrames &frames() { return frames_; }
  CallValues &call_values() { return call_values_; }
  /// An instruction of a function that the debug information describes.
  std::optional<CodePoint> point_at(uint64_t pc);

 private:
  ObjectDebugInfo(std::unique_ptr<DwarfFile> file, const UserObject &object);

  std::unique_ptr<DwarfFile> file_;
  DwarfTypes types_;
  DwarfFunctions functions_;
  DwarfLines lines_;
  InlinedCalls inlined_;
  CodeFrames frames_;
  CallValues call_values_;
};

/// Keeps the debug information of every requested file. A file that could not be read is not tried again.
class DebugInfoCache {
 public:
  /// `pid` has the object mapped; 0: debug files are those of this file system.
  Result<ObjectDebugInfo *> of(const std::shared_ptr<UserObject> &object, pid_t pid);
  /// Forgets that these could not be read. What was read, types may refer to.
  void forget(const std::set<const UserFile *> &files) {
    std::erase_if(entries_, [&](const auto &entry) {
      return entry.second.info == nullptr && files.contains(entry.second.object->file().get());
    });
  }
  void use(DebugSources sources) { sources_ = std::move(sources); }
  /// From now on nothing is fetched.
  void stop_fetching() { sources_.fetch = nullptr; }

 private:
  struct Entry {
    std::shared_ptr<UserObject> object;  // keeps its address from being another's
    std::unique_ptr<ObjectDebugInfo> info;
    std::string failure;
  };
  std::map<const UserObject *, Entry> entries_;
  DebugSources sources_;
};

}  // namespace dtrace::runtime
