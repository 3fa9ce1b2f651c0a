// SPDX-License-Identifier: Apache-2.0
// Where the unified hierarchy of cgroups is mounted, and what is in it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dtrace::runtime {

struct Hierarchy {
  std::string host;    ///< root of the host's file system as we see it: "" or "/proc/1/root" and its like
  std::string mount;   ///< mount point there: "/sys/fs/cgroup", "/sys/fs/cgroup/unified"
  std::string prefix;  ///< path of what is mounted, from the root of the hierarchy; empty: all of it
  /// What is mounted is a part, and a cgroup namespace hides where: paths begin at that part.
  bool is_hidden_part = false;
  /// Further mounts, as that of a chroot directory: `mount` and `prefix` of each. Users may name cgroups below any of
  /// them.
  std::vector<std::pair<std::string, std::string>> others{};
  std::string directory() const { return host + mount; }
};

/// The mount of cgroup2 in the text of /proc/PID/mountinfo, `host` left empty; nothing: there is none. It is the first
/// one that shows all cgroups and that `is_there` accepts; without such a mount, the last one.
std::optional<Hierarchy> hierarchy_in(
    std::string_view mountinfo,
    const std::function<bool(const std::string &mount)> &is_there = [](const std::string &) { return true; });

/// That of the host where we may see it (its pid namespace is ours), else our own.
std::optional<Hierarchy> find_hierarchy();

/// Calls `use` with the id and the path of every cgroup there is, parents first. What goes meanwhile is left out.
void walk_cgroups(const Hierarchy &hierarchy, const std::function<void(uint64_t id, std::string path)> &use);

/// The processes in the cgroup at `path`, without those below it.
std::vector<pid_t> processes_of(const Hierarchy &hierarchy, std::string_view path);

}  // namespace dtrace::runtime
