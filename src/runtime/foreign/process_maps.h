// SPDX-License-Identifier: Apache-2.0
// The address space of a process: /proc/PID/maps, and the identity of the process that had that PID.
//
// What a reader would get wrong: a pid is not a process. It is reused, and exec changes everything behind it, so every
// snapshot carries an identity that changes with both. The paths are as the kernel shows them to us; the process may
// live under another root or its file may be deleted, which is why files are opened through open_mapped_file().
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/owned.h"
#include "base/result.h"

namespace dtrace::runtime {

/// One line of /proc/PID/maps.
struct MapEntry {
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t offset = 0;  ///< of `start` in the file, bytes
  uint64_t inode = 0;   ///< 0: no file behind it
  uint32_t device_major = 0;
  uint32_t device_minor = 0;
  bool readable = false;
  bool writable = false;
  bool executable = false;
  bool deleted = false;  ///< the path had " (deleted)" behind it, which `path` has not
  std::string path;      ///< may be empty or a kernel name such as "[vdso]"

  bool is_file() const { return inode != 0 && path.starts_with('/'); }
  bool contains(uint64_t address) const { return address >= start && address < end; }
  bool operator==(const MapEntry &) const = default;
};

/// Parses the text of /proc/PID/maps. Lines that make no sense are left out.
std::vector<MapEntry> parse_maps(std::string_view text);
/// The same, of executable mappings alone, one after the other in the kernel's order. The entry is good during the
/// call.
void for_each_executable_map(std::string_view text, const std::function<void(MapEntry &map)> &take);

/// The entry that holds `address`, nullptr if none; `maps` in address order, as the kernel writes it.
const MapEntry *find_map(const std::vector<MapEntry> &maps, uint64_t address);

/// What tells one process image from the next under the same pid.
struct ProcessIdentity {
  pid_t pid = 0;
  uint64_t start_ticks = 0;  ///< clock ticks after boot; differs when the pid was reused
  uint64_t code_start = 0;   ///< these two differ after exec (0 if we may not see them)
  uint64_t stack_start = 0;

  /// False without the right to see all of it: the kernel then writes 1 or 0.
  bool is_complete() const { return code_start > 1 && stack_start > 1; }
  bool operator==(const ProcessIdentity &) const = default;
};

/// Parses the text of /proc/PID/stat.
Result<ProcessIdentity> parse_identity(std::string_view stat);
Result<ProcessIdentity> read_identity(pid_t pid);

struct ProcessMaps {
  ProcessIdentity identity;
  std::vector<MapEntry> maps;  ///< empty for a kernel thread or a zombie
};

/// Reads both, consistently: not the maps of one image under the identity of another.
Result<ProcessMaps> read_process_maps(pid_t pid);

/// Opens the file behind `map`: under the root of the process, else the mapping itself (which works for deleted files
/// and needs CAP_SYS_ADMIN or CAP_CHECKPOINT_RESTORE), else the path as it is if that is the same file.
Result<Fd> open_mapped_file(pid_t pid, const MapEntry &map);

/// The last component of a path; the whole of a kernel name.
std::string_view object_name(std::string_view path);

}  // namespace dtrace::runtime
