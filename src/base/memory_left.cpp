// SPDX-License-Identifier: Apache-2.0
#include "base/memory_left.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "base/read_file.h"

namespace dtrace {
namespace {

constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

std::string content_of(const std::string &path) {
  const Result<std::string> text = read_file(path);
  return text ? *text : std::string();
}

/// For each version of control groups: the files of the memory controller.
struct GroupFiles {
  const char *folder;
  std::array<const char *, 2> limits;  // beyond which the kernel kills, or lets processes wait
  const char *usage, *active, *inactive;
};
constexpr GroupFiles kVersion1{"/sys/fs/cgroup/memory",
                               {"memory.limit_in_bytes", "memory.limit_in_bytes"},
                               "memory.usage_in_bytes",
                               "total_active_file",
                               "total_inactive_file"};
constexpr GroupFiles kVersion2{
    "/sys/fs/cgroup", {"memory.max", "memory.high"}, "memory.current", "active_file", "inactive_file"};

std::optional<uint64_t> number_in(const std::string &text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end != text.data() ? std::optional(value) : std::nullopt;  // "max" is no number
}

/// What one group leaves.
uint64_t left_in_group(const std::string &folder, const GroupFiles &files) {
  uint64_t limit = kUnlimited;
  for (const char *name : files.limits)
    limit = std::min(limit, number_in(content_of(folder + "/" + name)).value_or(kUnlimited));
  const std::optional<uint64_t> usage = number_in(content_of(folder + "/" + files.usage));
  if (limit == kUnlimited || !usage) return kUnlimited;
  const std::string stat = content_of(folder + "/memory.stat");
  const uint64_t cache = number_of_line(stat, files.active) + number_of_line(stat, files.inactive);
  const uint64_t taken = *usage - std::min(cache, *usage);
  return limit - std::min(taken, limit);
}

/// The least that a group and those above it leave.
uint64_t left_in_groups(const std::string &root, std::string path, const GroupFiles &files) {
  uint64_t least = kUnlimited;
  while (true) {
    least = std::min(least, left_in_group(root + files.folder + path, files));
    const size_t slash = path.rfind('/');
    if (slash == std::string::npos) return least;
    path.resize(slash);
  }
}

uint64_t address_space_left() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnlimited;
  const uint64_t pages = number_in(content_of("/proc/self/statm")).value_or(0);
  const uint64_t taken = pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return limit.rlim_cur - std::min<uint64_t>(taken, limit.rlim_cur);
}

}  // namespace

uint64_t number_of_line(std::string_view text, std::string_view name) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with(name)) continue;
    line.remove_prefix(name.size());
    if (line.empty() || (line[0] != ' ' && line[0] != ':')) continue;  // a longer name
    line.remove_prefix(std::min(line.find_first_not_of(": \t"), line.size()));
    uint64_t value = 0;
    std::from_chars(line.data(), line.data() + line.size(), value);
    return value;
  }
  return 0;
}

uint64_t memory_left_in(const std::string &root, uint64_t address_space) {
  const std::string meminfo = content_of(root + "/proc/meminfo");
  uint64_t least =
      std::min(address_space, meminfo.empty() ? kUnlimited : number_of_line(meminfo, "MemAvailable") * 1024);
  // "4:memory:/path" in version 1, "0::/path" in version 2.
  const std::string groups = content_of(root + "/proc/self/cgroup");
  for (size_t at = 0; at < groups.size();) {
    const size_t end = std::min(groups.find('\n', at), groups.size());
    const std::string_view line = std::string_view(groups).substr(at, end - at);
    at = end + 1;
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    std::string path(line.substr(second + 1));
    if (path == "/") path.clear();
    if (controllers.empty()) least = std::min(least, left_in_groups(root, path, kVersion2));
    if (("," + std::string(controllers) + ",").find(",memory,") != std::string::npos)
      least = std::min(least, left_in_groups(root, path, kVersion1));
  }
  return least;
}

uint64_t memory_left() { return memory_left_in("", address_space_left()); }

}  // namespace dtrace
