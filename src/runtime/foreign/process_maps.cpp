// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/process_maps.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/foreign_limits.h"
#include "base/read_file.h"
#include "runtime/foreign/open.h"

namespace dtrace::runtime {

namespace {

constexpr std::string_view kDeleted = " (deleted)";

/// Reads a number at the front of `text` and the separator behind it; false if either is not there.
template <typename T>
bool take_number(std::string_view *text, int base, char separator, T *value) {
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), *value, base);
  if (error != std::errc()) return false;
  const size_t used = static_cast<size_t>(end - text->data());
  if (used == text->size() || (*text)[used] != separator) return false;
  text->remove_prefix(used + 1);
  return true;
}

/// The kernel writes a newline in a path as \012 and nothing else escaped.
std::string unescape_path(std::string_view path) {
  constexpr std::string_view kNewline = "\\012";
  std::string plain(path);
  for (size_t at = 0; (at = plain.find(kNewline, at)) != std::string::npos; at++)
    plain.replace(at, kNewline.size(), "\n");
  return plain;
}

/// Whether the line is of an executable mapping; asked first, as most are not.
bool is_executable(std::string_view line) {
  const size_t blank = line.find(' ');
  return blank != std::string_view::npos && line.size() > blank + 3 && line[blank + 3] == 'x';
}

std::optional<MapEntry> parse_map(std::string_view line) {
  MapEntry map;
  if (!take_number(&line, 16, '-', &map.start) || !take_number(&line, 16, ' ', &map.end)) return std::nullopt;
  if (map.end <= map.start || line.size() < 5 || line[4] != ' ') return std::nullopt;
  map.readable = line[0] == 'r';
  map.writable = line[1] == 'w';
  map.executable = line[2] == 'x';
  line.remove_prefix(5);
  if (!take_number(&line, 16, ' ', &map.offset) || !take_number(&line, 16, ':', &map.device_major) ||
      !take_number(&line, 16, ' ', &map.device_minor)) {
    return std::nullopt;
  }
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), map.inode);
  if (error != std::errc()) return std::nullopt;
  line.remove_prefix(static_cast<size_t>(end - line.data()));
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  if (map.inode != 0 && line.ends_with(kDeleted)) {
    map.deleted = true;
    line.remove_suffix(kDeleted.size());
  }
  map.path = unescape_path(line);
  return map;
}

/// Opens the path of that mapping in the root of a process, if the mapping's file is still there. Device numbers are
/// not compared: stat() and maps disagree on btrfs.
Fd open_mapped_path(pid_t pid, const MapEntry &map) {
  const Result<Fd> root = root_of(pid);
  if (!root) return Fd();
  Result<Fd> file = open_in_root(*root, map.path);
  struct stat st{};
  if (!file || ::fstat(file->get(), &st) != 0 || st.st_ino != map.inode) return Fd();
  return std::move(*file);
}

/// Opens the file behind a mapping that the process has now.
Result<Fd> open_mapping(pid_t pid, const MapEntry &map, const std::string &name) {
  return open_regular(fmt::format("/proc/{}/map_files/{:x}-{:x}", pid, map.start, map.end), name);
}

}  // namespace

std::vector<MapEntry> parse_maps(std::string_view text) {
  std::vector<MapEntry> maps;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (std::optional<MapEntry> map = parse_map(text.substr(0, end))) maps.push_back(std::move(*map));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const auto by_start = [](const MapEntry &a, const MapEntry &b) { return a.start < b.start; };
  if (!std::is_sorted(maps.begin(), maps.end(), by_start)) std::sort(maps.begin(), maps.end(), by_start);
  return maps;
}

void for_each_executable_map(std::string_view text, const std::function<void(MapEntry &map)> &take) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (is_executable(line))
      if (std::optional<MapEntry> map = parse_map(line)) take(*map);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

const MapEntry *find_map(const std::vector<MapEntry> &maps, uint64_t address) {
  const auto after = std::upper_bound(maps.begin(), maps.end(), address,
                                      [](uint64_t wanted, const MapEntry &map) { return wanted < map.start; });
  if (after == maps.begin() || !std::prev(after)->contains(address)) return nullptr;
  return &*std::prev(after);
}

Result<ProcessIdentity> parse_identity(std::string_view stat) {
  // Field numbers of proc(5). The command may hold blanks and parentheses, so count from the last ')'.
  constexpr size_t kState = 3;
  constexpr size_t kStartTime = 22;
  constexpr size_t kStartCode = 26;
  constexpr size_t kStartStack = 28;

  ProcessIdentity identity;
  const size_t command_end = stat.rfind(')');
  if (command_end == std::string_view::npos) return Error("stat: no command");
  std::string_view pid_text = stat;
  if (!take_number(&pid_text, 10, ' ', &identity.pid)) return Error("stat: no pid");

  std::string_view rest = stat.substr(command_end + 1);
  bool has_start_time = false;
  for (size_t field = kState; !rest.empty(); field++) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \n"), rest.size()));
    const size_t end = std::min(rest.find_first_of(" \n"), rest.size());
    const std::string_view value = rest.substr(0, end);
    uint64_t *target = field == kStartTime    ? &identity.start_ticks
                       : field == kStartCode  ? &identity.code_start
                       : field == kStartStack ? &identity.stack_start
                                              : nullptr;
    if (target != nullptr) {
      const auto [stop, error] = std::from_chars(value.begin(), value.end(), *target);
      if (error != std::errc()) return Error("stat: not a number");
      has_start_time |= field == kStartTime;
    }
    rest.remove_prefix(end);
  }
  if (!has_start_time) return Error("stat: too few fields");
  return identity;
}

Result<ProcessIdentity> read_identity(pid_t pid) {
  Result<std::string> text = read_file(fmt::format("/proc/{}/stat", pid));
  if (!text) return std::move(text).error();
  return parse_identity(*text);
}

Result<ProcessMaps> read_process_maps(pid_t pid) {
  constexpr int kAttempts = 3;
  Result<ProcessIdentity> before = read_identity(pid);
  for (int attempt = 0; before; attempt++) {
    Result<std::string> text = read_file(fmt::format("/proc/{}/maps", pid), limits::kMaxProcFileBytes);
    if (!text) return std::move(text).error();
    Result<ProcessIdentity> after = read_identity(pid);
    if (!after) return std::move(after).error();
    if (*before == *after) return ProcessMaps{*after, parse_maps(*text)};
    if (attempt == kAttempts) return Error(fmt::format("pid {}: changes faster than it can be read", pid));
    before = after;
  }
  return std::move(before).error();
}

Result<Fd> open_mapped_file(pid_t pid, const MapEntry &map) {
  if (!map.is_file()) return Error(map.path + ": not a file");
  if (!map.deleted)
    if (Fd file = open_mapped_path(pid, map)) return file;
  Result<Fd> file = open_mapping(pid, map, map.path);
  if (file) return file;
  // A mapping that was noticed when it was made may have become shorter: the kernel first maps a program whose code
  // begins the file as large as all of it.
  if (const Result<std::string> text = read_file(fmt::format("/proc/{}/maps", pid), limits::kMaxProcFileBytes)) {
    const std::vector<MapEntry> maps = parse_maps(*text);
    const MapEntry *now = find_map(maps, map.start);
    if (now != nullptr && now->inode == map.inode && now->path == map.path && now->end != map.end)
      file = open_mapping(pid, *now, map.path);
    if (file) return file;
  }
  if (!map.deleted)
    if (Fd same = open_mapped_path(::getpid(), map)) return same;
  return file;
}

std::string_view object_name(std::string_view path) {
  if (!path.starts_with('/')) return path;
  return path.substr(path.rfind('/') + 1);
}

}  // namespace dtrace::runtime
