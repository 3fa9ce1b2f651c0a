// SPDX-License-Identifier: Apache-2.0
#include "runtime/usdt/process_files.h"

#include <dirent.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "runtime/foreign/open.h"
#include "runtime/symbols/proc_file.h"
#include "runtime/symbols/process_maps.h"

namespace dtrace {
namespace {

constexpr std::string_view kDeleted = " (deleted)";

template <typename T>
bool take(std::string_view &text, int base, char separator, T &value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  const auto used = static_cast<size_t>(end - text.data());
  if (error != std::errc() || used >= text.size() || text[used] != separator) return false;
  text.remove_prefix(used + 1);
  return true;
}

/// The first line's mapping, if it is executable and of a file.
bool parse_line(std::string_view line, FileKey &key, ExecutedFile &file) {
  // start-end rwxp offset major:minor inode   path
  const size_t blank = line.find(' ');
  if (blank == std::string_view::npos || line.size() < blank + 5 || line[blank + 3] != 'x') return false;
  uint64_t offset = 0;
  if (!take(line, 16, '-', file.start) || !take(line, 16, ' ', file.end)) return false;
  line.remove_prefix(std::min<size_t>(5, line.size()));
  if (!take(line, 16, ' ', offset) || !take(line, 16, ':', key.device_major) ||
      !take(line, 16, ' ', key.device_minor) || !take(line, 10, ' ', key.inode) || key.inode == 0)
    return false;
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  file.inode = key.inode;
  file.is_deleted = line.ends_with(kDeleted);
  if (file.is_deleted) line.remove_suffix(kDeleted.size());
  file.path = line;
  return file.path.starts_with('/');
}

/// Returns 0 or an errno.
int read_maps(pid_t pid, ExecutedFiles &files) {
  const Result<std::string> text = read_proc_file(fmt::format("/proc/{}/maps", pid));
  if (!text) return text.error().errno_value();
  add_executed_files(*text, pid, files);
  return 0;
}

}  // namespace

void add_executed_files(std::string_view maps, pid_t pid, ExecutedFiles &files) {
  while (!maps.empty()) {
    const size_t end = std::min(maps.find('\n'), maps.size());
    FileKey key;
    ExecutedFile file;
    if (parse_line(maps.substr(0, end), key, file)) {
      ExecutedFile &known = files[key];
      if (known.pids.empty()) known = std::move(file);
      if (known.pids.empty() || known.pids.back() != pid) known.pids.push_back(pid);
    }
    maps.remove_prefix(std::min(end + 1, maps.size()));
  }
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
    // The mapping whose place is known is the first process's; of another one it has to be found.
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

}  // namespace dtrace
