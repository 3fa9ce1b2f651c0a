// SPDX-License-Identifier: Apache-2.0
#include "runtime/late/unused_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/file_limit.h"
#include "base/read_file.h"
#include "runtime/foreign/process_maps.h"
#include "runtime/usdt/process_files.h"

namespace dtrace::runtime {
namespace {

constexpr uint64_t kEveryNs = 2'000'000'000;
/// To ask all processes what they execute takes a hundredth of the time.
constexpr uint64_t kRestPerCost = 100;

bool is_deleted(const UserFile &file) {
  struct stat info{};
  return fstat(file.fd.get(), &info) == 0 && info.st_nlink == 0;
}

}  // namespace

Devices executed_devices() {
  Devices devices;
  std::set<pid_t> refused;
  for (const auto &[key, file] : files_of_all_processes(refused)) devices.emplace(key.device_major, key.device_minor);
  return devices;
}

void UnusedFiles::add(const std::shared_ptr<const UserFile> &file) {
  struct stat info{};
  if (cannot_know_ || fstat(file->fd.get(), &info) != 0) return;
  const auto [entry, is_new] = files_.try_emplace(Identity(info.st_dev, info.st_ino));
  Watched &watched = entry->second;
  if (std::ranges::find(watched.opened, file) == watched.opened.end()) watched.opened.push_back(file);
  if (is_new) watched.page = map_for_users(file->fd.get());
  has_new_ |= is_new;
}

/// Finds out which file systems new files are on. fstat() and mappings may disagree: of an overlay's file, of a
/// subvolume's.
void UnusedFiles::find_devices() {
  if (!std::exchange(has_new_, false)) return;
  const Result<std::string> text = read_file("/proc/self/maps");
  const std::vector<MapEntry> maps = text ? parse_maps(*text) : std::vector<MapEntry>();
  Devices ours;
  for (const MapEntry &map : maps)
    if (map.executable && map.is_file()) ours.emplace(map.device_major, map.device_minor);
  for (auto &[identity, watched] : files_) {
    const MapEntry *page = find_map(maps, reinterpret_cast<uintptr_t>(watched.page.data()));
    if (page != nullptr) watched.device = {page->device_major, page->device_minor};
    watched.is_on_our_system = page == nullptr || ours.contains(watched.device);
  }
}

/// Does a process execute another file of the same file system? If that is not known, it does.
bool UnusedFiles::is_executed(const Watched &watched, uint64_t now_ns) {
  if (now_ns >= next_ask_ns_) {
    const uint64_t before_ns = monotonic_ns();
    executed_ = executed_devices();
    asked_ns_ = now_ns;
    next_ask_ns_ = now_ns + (monotonic_ns() - before_ns) * kRestPerCost;
  }
  return asked_ns_ != now_ns || executed_->contains(watched.device);
}

std::set<const UserFile *> UnusedFiles::find(uint64_t now_ns) {
  if (cannot_know_ || now_ns < next_ns_) return {};
  next_ns_ = now_ns + kEveryNs;
  find_devices();
  const bool is_scarce = are_descriptors_scarce();
  std::vector<Watched *> may_go;
  for (auto &[identity, watched] : files_)
    if (watched.page && (is_scarce || !watched.is_on_our_system || is_deleted(*watched.opened.front())))
      may_go.push_back(&watched);
  if (may_go.empty()) return {};
  if (!users_) {
    Result<FileUsers> users = FileUsers::open();
    cannot_know_ = !users;
    if (cannot_know_) {
      problem_ = "files that are deleted or no longer executed keep their probes and stay open until tracing ends: " +
                 users.error().text();
      return {};
    }
    users_ = std::move(*users);
  }
  const Result<std::set<uintptr_t>> found = users_->mappings_of_unused();
  if (!found) return {};
  std::set<const UserFile *> unused;
  for (Watched *watched : may_go) {
    const bool is_unused = found->contains(reinterpret_cast<uintptr_t>(watched->page.data()));
    if (!std::exchange(watched->was_unused, is_unused) || !is_unused) continue;
    if (!is_scarce && !is_deleted(*watched->opened.front()) && is_executed(*watched, now_ns)) continue;
    for (const std::shared_ptr<const UserFile> &file : watched->opened) unused.insert(file.get());
  }
  return unused;
}

void UnusedFiles::forget(const std::set<const UserFile *> &files) {
  for (auto entry = files_.begin(); entry != files_.end();) {
    std::vector<std::shared_ptr<const UserFile>> &opened = entry->second.opened;
    std::erase_if(opened, [&](const auto &file) {
      const bool is_gone = files.contains(file.get());
      if (is_gone) file->close();
      return is_gone;
    });
    entry = opened.empty() ? files_.erase(entry) : std::next(entry);
  }
}

}  // namespace dtrace::runtime
