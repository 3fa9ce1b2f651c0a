// SPDX-License-Identifier: Apache-2.0
#include "runtime/late/deleted_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace dtrace::runtime {
namespace {

constexpr uint64_t kEveryNs = 2'000'000'000;

bool is_deleted(const UserFile &file) {
  struct stat info{};
  return fstat(file.fd.get(), &info) == 0 && info.st_nlink == 0;
}

}  // namespace

void DeletedFiles::add(const std::shared_ptr<const UserFile> &file) {
  struct stat info{};
  if (cannot_know_ || fstat(file->fd.get(), &info) != 0) return;
  const auto [entry, is_new] = files_.try_emplace(Identity(info.st_dev, info.st_ino));
  Watched &watched = entry->second;
  if (is_new) watched.page = map_for_users(file->fd.get());
  if (std::ranges::find(watched.opened, file) == watched.opened.end()) watched.opened.push_back(file);
}

std::set<const UserFile *> DeletedFiles::find(uint64_t now_ns) {
  if (cannot_know_ || now_ns < next_ns_) return {};
  next_ns_ = now_ns + kEveryNs;
  std::vector<Watched *> deleted;
  for (auto &[identity, watched] : files_)
    if (watched.page && is_deleted(*watched.opened.front())) deleted.push_back(&watched);
  if (deleted.empty()) return {};
  if (!users_) {
    Result<FileUsers> users = FileUsers::open();
    cannot_know_ = !users;
    if (cannot_know_) {
      problem_ = "deleted files keep their probes and stay open until tracing ends: " + users.error().text();
      return {};
    }
    users_ = std::move(*users);
  }
  const Result<std::set<uintptr_t>> found = users_->mappings_of_unused();
  if (!found) return {};
  std::set<const UserFile *> unused;
  for (Watched *watched : deleted) {
    const bool is_unused = found->contains(reinterpret_cast<uintptr_t>(watched->page.data()));
    if (std::exchange(watched->was_unused, is_unused) && is_unused)
      for (const std::shared_ptr<const UserFile> &file : watched->opened) unused.insert(file.get());
  }
  return unused;
}

void DeletedFiles::forget(const std::set<const UserFile *> &files) {
  for (auto entry = files_.begin(); entry != files_.end();) {
    std::vector<std::shared_ptr<const UserFile>> &opened = entry->second.opened;
    std::erase_if(opened, [&](const auto &file) { return files.contains(file.get()); });
    entry = opened.empty() ? files_.erase(entry) : std::next(entry);
  }
}

}  // namespace dtrace::runtime
