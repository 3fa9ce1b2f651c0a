// SPDX-License-Identifier: Apache-2.0
#include "runtime/cgroups/hierarchy.h"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/folder.h"
#include "base/read_file.h"

namespace dtrace::runtime {
namespace {

namespace fs = std::filesystem;

constexpr ino_t kInitialPidNamespace = 0xEFFFFFFC;     // PROC_PID_INIT_INO
constexpr ino_t kInitialCgroupNamespace = 0xEFFFFFFB;  // PROC_CGROUP_INIT_INO
constexpr unsigned kMaxDepth = 64;

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const size_t end = std::min(line.find(' '), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

/// Blanks in a path are written as \040.
std::string without_octal(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    int value = 0;
    const bool is_escape =
        text[i] == '\\' && i + 3 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 4, value, 8).ptr == text.data() + i + 4;
    plain += is_escape ? static_cast<char>(value) : text[i];
    if (is_escape) i += 3;
  }
  return plain;
}

/// "/", or "/../..": how a process in a cgroup namespace sees the root above its own.
bool is_whole(std::string_view root) {
  while (root.starts_with("/..")) root.remove_prefix(3);
  return root.empty() || root == "/";
}

std::optional<ino_t> inode_of(const std::string &path) {
  struct stat info{};
  return stat(path.c_str(), &info) == 0 ? std::optional(info.st_ino) : std::nullopt;
}

void walk_below(const std::string &directory, const std::string &path, unsigned depth,
                const std::function<void(uint64_t, std::string)> &use) {
  const std::optional<ino_t> id = inode_of(directory);
  if (!id) return;
  use(*id, path.empty() ? "/" : path);
  if (depth == kMaxDepth) return;
  (void)each_entry(directory, [&](const fs::directory_entry &entry) {
    std::error_code ignored;
    if (!entry.is_directory(ignored)) return;
    const std::string name = entry.path().filename().string();
    walk_below(directory + '/' + name, path + '/' + name, depth + 1, use);
  });
}

}  // namespace

std::optional<Hierarchy> hierarchy_in(std::string_view mountinfo,
                                      const std::function<bool(const std::string &mount)> &is_there) {
  std::vector<Hierarchy> mounts;
  while (!mountinfo.empty()) {
    const size_t end = std::min(mountinfo.find('\n'), mountinfo.size());
    const std::vector<std::string_view> words = words_of(mountinfo.substr(0, end));
    mountinfo.remove_prefix(std::min(end + 1, mountinfo.size()));
    // ID PARENT DEVICE ROOT MOUNT OPTIONS [FIELD...] - TYPE SOURCE OPTIONS
    constexpr size_t kRoot = 3, kMount = 4, kFields = 6;
    if (words.size() <= kFields) continue;
    const auto dash = std::find(words.begin() + kFields, words.end(), "-");
    if (dash == words.end() || dash + 1 == words.end() || *(dash + 1) != "cgroup2") continue;
    Hierarchy mounted{{}, without_octal(words[kMount]), without_octal(words[kRoot])};
    mounted.is_hidden_part = mounted.prefix == "/";
    if (is_whole(mounted.prefix)) mounted.prefix.clear();
    // A mount hides those before it at the same mount point.
    const auto hidden = std::ranges::find(mounts, mounted.mount, &Hierarchy::mount);
    if (hidden == mounts.end())
      mounts.push_back(std::move(mounted));
    else
      *hidden = std::move(mounted);
  }
  if (mounts.empty()) return std::nullopt;
  auto chosen =
      std::ranges::find_if(mounts, [&](const Hierarchy &one) { return one.prefix.empty() && is_there(one.mount); });
  if (chosen == mounts.end()) chosen = mounts.end() - 1;
  for (auto other = mounts.begin(); other != mounts.end(); ++other)
    if (other != chosen) chosen->others.emplace_back(other->mount, other->prefix);
  return std::move(*chosen);
}

std::optional<Hierarchy> find_hierarchy() {
  const auto is_in = [](const std::string &root) {
    return [root](const std::string &mount) { return inode_of(root + mount + "/cgroup.procs").has_value(); };
  };
  const Result<std::string> own_text = read_file("/proc/self/mountinfo");
  std::optional<Hierarchy> own = own_text ? hierarchy_in(*own_text, is_in("")) : std::nullopt;
  const bool sees_all = inode_of("/proc/self/ns/cgroup") == kInitialCgroupNamespace;
  // The first process may be out of reach; kernel threads have the host's root, unless that was changed after they
  // began.
  for (const char *process : {"/proc/1", "/proc/2"}) {
    if (inode_of("/proc/self/ns/pid") != kInitialPidNamespace) break;
    const std::string host = process;
    const std::optional<ino_t> mounts = inode_of(host + "/ns/mnt");
    if (!mounts) continue;
    if (mounts == inode_of("/proc/self/ns/mnt")) break;
    const Result<std::string> text = read_file(host + "/mountinfo");
    const std::string root = host + "/root";
    std::optional<Hierarchy> found = text ? hierarchy_in(*text, is_in(root)) : std::nullopt;
    if (!found || !is_in(root)(found->mount)) continue;
    found->host = root;
    found->is_hidden_part = false;
    // Users name cgroups as they see them.
    if (own && sees_all) {
      found->others.emplace_back(own->mount, own->prefix);
      found->others.insert(found->others.end(), own->others.begin(), own->others.end());
    }
    return found;
  }
  if (own) own->is_hidden_part &= !sees_all;
  return own;
}

void walk_cgroups(const Hierarchy &hierarchy, const std::function<void(uint64_t, std::string)> &use) {
  walk_below(hierarchy.directory(), hierarchy.prefix, 0, use);
}

std::vector<pid_t> processes_of(const Hierarchy &hierarchy, std::string_view path) {
  std::vector<pid_t> pids;
  if (!path.starts_with(hierarchy.prefix)) return pids;
  const Result<std::string> text =
      read_file(hierarchy.directory() + std::string(path.substr(hierarchy.prefix.size())) + "/cgroup.procs");
  if (!text) return pids;
  for (const char *at = text->data(), *const end = at + text->size(); at < end; ++at) {
    pid_t pid = 0;
    const auto [next, error] = std::from_chars(at, end, pid);
    if (error != std::errc()) break;
    if (pid > 0) pids.push_back(pid);  // 0: of another pid namespace
    at = next;
  }
  return pids;
}

}  // namespace dtrace::runtime
