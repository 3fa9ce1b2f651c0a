// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/download_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/owned.h"

namespace dtrace::runtime {
namespace {

struct Download {
  timespec used{};
  uint64_t size_bytes = 0;
  std::string folder, name;
};

std::pair<time_t, long> order_of(const timespec &time) { return {time.tv_sec, time.tv_nsec}; }

Fd open_folder_at(int at, const char *name) {
  return Fd(openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

template <typename Each>
void each_name(int folder, Each each) {
  Fd copy(dup(folder));
  const std::unique_ptr<DIR, int (*)(DIR *)> listing(fdopendir(copy.get()), &closedir);
  if (listing == nullptr) return;
  (void)copy.release();  // the listing closes it
  while (const dirent *entry = readdir(listing.get()))
    if (entry->d_name[0] != '.') each(entry->d_name);
}

bool is_build_id(std::string_view name) { return name.find_first_not_of("0123456789abcdef") == std::string_view::npos; }

}  // namespace

void bound_download_cache(const std::string &folder, uint64_t most_bytes) {
  const Fd top = open_folder_at(AT_FDCWD, folder.c_str());
  if (!top) return;
  std::vector<Download> downloads;
  uint64_t total_bytes = 0;
  each_name(top.get(), [&](const char *build_id) {
    const Fd inner = is_build_id(build_id) ? open_folder_at(top.get(), build_id) : Fd();
    if (!inner) return;
    each_name(inner.get(), [&](const char *name) {
      struct stat status{};
      if (fstatat(inner.get(), name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode)) return;
      const bool is_read_later = order_of(status.st_atim) > order_of(status.st_mtim);
      downloads.push_back(
          {is_read_later ? status.st_atim : status.st_mtim, static_cast<uint64_t>(status.st_size), build_id, name});
      total_bytes += downloads.back().size_bytes;
    });
  });
  std::ranges::sort(downloads, {}, [](const Download &one) { return order_of(one.used); });
  for (size_t i = 0; i + 1 < downloads.size() && total_bytes > most_bytes; ++i) {
    const Fd inner = open_folder_at(top.get(), downloads[i].folder.c_str());
    if (!inner || unlinkat(inner.get(), downloads[i].name.c_str(), 0) != 0) continue;
    total_bytes -= downloads[i].size_bytes;
    (void)unlinkat(top.get(), downloads[i].folder.c_str(), AT_REMOVEDIR);  // if it is empty now
  }
}

}  // namespace dtrace::runtime
