// SPDX-License-Identifier: Apache-2.0
// Which files the processes of the system execute, and which processes execute them: one walk of /proc.
//
// Files are opened through the mappings themselves, so deleted files, other mount namespaces and memfds are no special
// case, and no path of a process we do not trust is followed.
#pragma once

#include <sys/types.h>

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/owned.h"
#include "base/result.h"

namespace dtrace::runtime {

/// What the kernel calls a mapped file, in /proc/PID/maps and in BPF programs alike.
struct FileKey {
  uint32_t device_major = 0, device_minor = 0;
  uint64_t inode = 0;
  auto operator<=>(const FileKey &) const = default;
};

/// A file that at least one process has mapped executable.
struct ExecutedFile {
  std::string path;             ///< as the first of the processes has it, without " (deleted)"
  std::vector<pid_t> pids;      ///< ascending
  uint64_t start = 0, end = 0;  ///< a mapping of it, in the first process
  uint64_t inode = 0;
  bool is_deleted = false;
};

using ExecutedFiles = std::map<FileKey, ExecutedFile>;

/// The executable mappings of one process; empty if it has none, or has ended.
ExecutedFiles files_of_process(pid_t pid);
/// Why they cannot be known: 0, or an errno.
int refusal_of_process(pid_t pid);
/// Is this errno what is said to a user without the right?
bool is_denied(int cause);

/// The processes there are, without this one, ascending.
std::vector<pid_t> all_processes();

/// Their executable mappings; adds to `refused` those whose mappings we may not see.
ExecutedFiles files_of_all_processes(std::set<pid_t> &refused);

/// Opens the file. Errors: the processes have gone, may not be looked into, or the mapping is of a device.
Result<Fd> open_executed_file(const ExecutedFile &file);

/// Adds what the text of /proc/PID/maps says to `files`; lines that make no sense are left out.
void add_executed_files(std::string_view maps, pid_t pid, ExecutedFiles &files);

}  // namespace dtrace::runtime
