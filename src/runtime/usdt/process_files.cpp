// SPDX-License-Identifier: Apache-2.0
#include "runtime/usdt/process_files.h"

#include <dirent.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "base/foreign_limits.h"
#include "base/read_file.h"
#include "runtime/foreign/open.h"
#include "runtime/foreign/process_maps.h"

namespace dtrace::runtime {
namespace {

/// Returns 0 or an errno.
int read_maps(pid_t pid, ExecutedFiles &files) {
  const Result<std::string> text = read_file(fmt::format("/proc/{}/maps", pid), limits::kMaxProcFileBytes);
  if (!text) return text.error().errno_value();
  add_executed_files(*text, pid, files);
  return 0;
}

}  // namespace

void add_executed_files(std::string_view maps, pid_t pid, ExecutedFiles &files) {
  for_each_executable_map(maps, [&](MapEntry &map) {
    if (!map.is_file()) return;
    ExecutedFile &known = files[{map.device_major, map.device_minor, map.inode}];
    if (known.pids.empty()) known = {std::move(map.path), {}, map.start, map.end, map.inode, map.deleted};
    if (known.pids.empty() || known.pids.back() != pid) known.pids.push_back(pid);
  });
}

ExecutedFiles files_of_process(pid_t pid) {
  ExecutedFiles files;
  read_maps(pid, files);
  return files;
}

int refusal_of_process(pid_t pid) {
  ExecutedFiles files;
  return read_maps(pid, files);
}

std::vector<pid_t> all_processes() {
  std::vector<pid_t> pids;
  DIR *proc = opendir("/proc");
  if (proc == nullptr) return pids;
  while (const dirent *entry = readdir(proc)) {
    const std::string_view name = entry->d_name;
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error == std::errc() && end == name.data() + name.size() && pid != getpid()) pids.push_back(pid);
  }
  closedir(proc);
  std::sort(pids.begin(), pids.end());
  return pids;
}

bool is_denied(int cause) { return cause == EACCES || cause == EPERM; }

ExecutedFiles files_of_all_processes(std::set<pid_t> &refused) {
  ExecutedFiles files;
  for (const pid_t pid : all_processes())
    if (is_denied(read_maps(pid, files))) refused.insert(pid);
  return files;
}

Result<Fd> open_executed_file(const ExecutedFile &file) {
  Error failure = Error::from_errno(file.path, ESRCH);
  for (size_t i = 0; i < file.pids.size(); ++i) {
    // The mapping whose address is known is the first process's; that of another process has to be found.
    uint64_t start = file.start, end = file.end;
    if (i != 0) {
      const ExecutedFiles files = files_of_process(file.pids[i]);
      const auto same =
          std::find_if(files.begin(), files.end(), [&](const auto &f) { return f.second.path == file.path; });
      if (same == files.end()) continue;
      start = same->second.start;
      end = same->second.end;
    }
    // Names in map_files need CAP_CHECKPOINT_RESTORE; the path will do if it still names the file.
    MapEntry map;
    map.start = start;
    map.end = end;
    map.inode = file.inode;
    map.deleted = file.is_deleted;
    map.path = file.path;
    Result<Fd> fd = open_mapped_file(file.pids[i], map);
    if (fd) return fd;
    failure = std::move(fd).error();
  }
  return failure;
}

}  // namespace dtrace::runtime
