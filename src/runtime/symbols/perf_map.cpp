// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/perf_map.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "runtime/symbols/proc_file.h"

namespace dtrace {

namespace {

constexpr off_t kMostBytes = 256 << 20;

/// The pid a process has in its innermost pid namespace.
pid_t pid_in_own_namespace(pid_t pid) {
  constexpr std::string_view kKey = "\nNSpid:";
  const Result<std::string> status = read_proc_file(fmt::format("/proc/{}/status", pid));
  if (!status) return pid;
  const size_t key = status->find(kKey);
  if (key == std::string::npos) return pid;
  const size_t start = key + kKey.size();
  const std::string_view line = std::string_view(*status).substr(start, status->find('\n', start) - start);
  const size_t last = line.find_last_of(" \t");
  pid_t inner = pid;
  if (last != std::string_view::npos) std::from_chars(line.data() + last + 1, line.data() + line.size(), inner);
  return inner;
}

bool take_hex(std::string_view *text, uint64_t *value) {
  if (text->starts_with("0x") || text->starts_with("0X")) text->remove_prefix(2);
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), *value, 16);
  if (error != std::errc() || end == text->data() + text->size() || *end != ' ') return false;
  text->remove_prefix(static_cast<size_t>(end - text->data()) + 1);
  return true;
}

}  // namespace

std::optional<PerfMap> PerfMap::open(pid_t pid) {
  struct stat process{};
  if (::stat(fmt::format("/proc/{}", pid).c_str(), &process) != 0) return std::nullopt;

  const std::string name = fmt::format("perf-{}.map", pid_in_own_namespace(pid));
  // No symbolic link: in the process's root it would be followed in ours.
  Fd fd(::open(fmt::format("/proc/{}/root/tmp/{}", pid, name).c_str(),
               O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW));
  struct stat st{};
  if (!fd || ::fstat(fd.get(), &st) != 0 || !S_ISREG(st.st_mode)) return std::nullopt;
  if (st.st_uid != process.st_uid && st.st_uid != 0) return std::nullopt;

  PerfMap map;
  map.fd_ = std::move(fd);
  map.name_ = name;
  return map;
}

PerfMap PerfMap::from_text(std::string_view text) {
  PerfMap map;
  map.name_ = "perf-0.map";
  map.parse(text);
  return map;
}

bool PerfMap::refresh() {
  struct stat st{};
  if (!fd_ || ::fstat(fd_.get(), &st) != 0 || st.st_size == parsed_bytes_ || st.st_size > kMostBytes) return false;
  std::string text(static_cast<size_t>(st.st_size), '\0');
  size_t used = 0;
  while (used < text.size()) {
    const ssize_t n = ::pread(fd_.get(), text.data() + used, text.size() - used, static_cast<off_t>(used));
    if (n <= 0) break;
    used += static_cast<size_t>(n);
  }
  text.resize(used);
  parsed_bytes_ = st.st_size;
  parse(text);
  return true;
}

/// "START SIZE NAME" a line, hexadecimal; the name may hold blanks.
void PerfMap::parse(std::string_view text) {
  entries_.clear();
  names_.clear();
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));

    uint64_t start = 0;
    uint64_t size = 0;
    if (!take_hex(&line, &start) || !take_hex(&line, &size) || line.empty() || size == 0 || size > ~start) continue;
    if (names_.size() + line.size() + 1 > std::numeric_limits<uint32_t>::max()) break;
    entries_.push_back({start, start + size, 0, static_cast<uint32_t>(names_.size())});
    names_.append(line).push_back('\0');
  }
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry &a, const Entry &b) { return a.start != b.start ? a.start < b.start : a.name < b.name; });
  uint64_t reach = 0;
  for (Entry &e : entries_) e.reach = reach = std::max(reach, e.end);
}

std::optional<PerfMap::Hit> PerfMap::by_address(uint64_t address) const {
  const auto after = std::upper_bound(entries_.begin(), entries_.end(), address,
                                      [](uint64_t wanted, const Entry &e) { return wanted < e.start; });
  // Overlaps are rare and short; the bound is for a file made to be slow.
  constexpr int kMostSteps = 256;
  const Entry *best = nullptr;
  int steps = 0;
  for (auto it = after; it != entries_.begin() && steps < kMostSteps; steps++) {
    --it;
    if (it->reach <= address) break;
    if (address < it->end && (best == nullptr || it->name > best->name)) best = &*it;
  }
  if (best == nullptr) return std::nullopt;
  return Hit{names_.c_str() + best->name, address - best->start};
}

}  // namespace dtrace
