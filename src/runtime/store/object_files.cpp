// SPDX-License-Identifier: Apache-2.0
#include "runtime/store/object_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "digest/digest.h"

namespace dtrace::runtime {
namespace {

constexpr char kMagic[8] = {'D', 'T', 'O', 'B', 'J', 'E', 'C', '1'};  // the last one is the version

/// What a file begins with.
struct FileHead {
  char magic[8];
  ObjectKey key;
  uint64_t entry_bytes;
  DigestBytes digest;  ///< of the entry
};
static_assert(sizeof(FileHead) == 80);

std::string name_of(const ObjectKey &key) {
  std::string name;
  for (const uint8_t byte : key) {
    name += "0123456789abcdef"[byte >> 4];
    name += "0123456789abcdef"[byte & 15];
  }
  return name;
}

/// A name of name_of(), or of a draft of that. The folder may be one that has other files, too.
bool may_be_removed(std::string_view name) {
  constexpr size_t kDigits = 2 * std::tuple_size_v<ObjectKey>;
  const bool is_draft = name.starts_with('.');
  if (is_draft) name.remove_prefix(1);
  if (name.size() < kDigits || (!is_draft && name.size() != kDigits)) return false;
  return name.substr(0, kDigits).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Nobody but root can have put it there or can change it.
bool is_ours(const struct stat &status) { return status.st_uid == 0 && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0; }

Fd open_folder(int at, const std::string &name) {
  return Fd(openat(at, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

/// Every folder of the path must be ours, too: a user who can rename one decides what is in it.
Result<Fd> open_path(const std::string &path) {
  if (!path.starts_with('/')) return Error(path + " is not an absolute path");
  Fd folder = open_folder(AT_FDCWD, "/");
  for (size_t begin = 1; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    begin = end + 1;
    if (part.empty()) continue;
    if (begin > path.size() && mkdirat(folder.get(), part.c_str(), 0700) != 0 && errno != EEXIST)
      return Error::from_errno("cannot create " + path, errno);
    Fd next = open_folder(folder.get(), part);
    if (!next) return Error::from_errno("cannot open " + path.substr(0, end), errno);
    struct stat status{};
    if (fstat(next.get(), &status) != 0) return Error::from_errno(path.substr(0, end), errno);
    // In a sticky folder others can add, and cannot rename what is ours.
    const bool is_shared = (status.st_mode & S_ISVTX) != 0 && status.st_uid == 0 && begin <= path.size();
    if (!is_ours(status) && !is_shared) return Error(path.substr(0, end) + " can be written by others than root");
    folder = std::move(next);
  }
  return folder;
}

bool read_all(int fd, void *to, size_t size_bytes) {
  auto *at = static_cast<char *>(to);
  while (size_bytes != 0) {
    const ssize_t got = read(fd, at, size_bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size_bytes -= static_cast<size_t>(got);
  }
  return true;
}

/// Debug information has 20 MB and more: half of the time to read it is spent on page faults of 4 KiB. It is a wish
/// only.
void use_large_pages(char *memory, size_t size_bytes) {
  constexpr uintptr_t kLargePage = 2 << 20;
  const auto address = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t begin = (address + kLargePage - 1) / kLargePage * kLargePage;
  const uintptr_t end = (address + size_bytes) / kLargePage * kLargePage;
  if (begin < end) (void)madvise(memory + (begin - address), end - begin, MADV_HUGEPAGE);
}

}  // namespace

Result<std::unique_ptr<ObjectFiles>> ObjectFiles::open(const std::string &folder, std::string identity, Bounds bounds) {
  // With AT_SECURE the environment, and so the options, are another user's.
  if (geteuid() != 0 || getuid() != 0 || getauxval(AT_SECURE) != 0) return Error("only root keeps compiled programs");
  if (identity.empty()) return Error("this dtrace was linked without a build ID");
  Result<Fd> opened = open_path(folder);
  if (!opened) return std::move(opened).error();
  return std::unique_ptr<ObjectFiles>(new ObjectFiles(std::move(*opened), std::move(identity), bounds));
}

std::optional<std::string> ObjectFiles::find(const ObjectKey &key) {
  const Fd file(openat(folder_.get(), name_of(key).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status{};
  if (!file || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || !is_ours(status)) return std::nullopt;
  const auto size_bytes = static_cast<uint64_t>(status.st_size);
  if (size_bytes < sizeof(FileHead) || size_bytes > sizeof(FileHead) + bounds_.entry_bytes) return std::nullopt;
  FileHead head;
  if (!read_all(file.get(), &head, sizeof head)) return std::nullopt;
  std::string bytes;
  bytes.reserve(size_bytes - sizeof head);
  use_large_pages(bytes.data(), bytes.capacity());
  bytes.resize(size_bytes - sizeof head);
  if (!read_all(file.get(), bytes.data(), bytes.size())) return std::nullopt;
  if (std::memcmp(head.magic, kMagic, sizeof kMagic) != 0 || head.key != key || head.entry_bytes != bytes.size() ||
      head.digest != digest_of(bytes))
    return std::nullopt;
  (void)futimens(file.get(), nullptr);  // it was used just now
  return bytes;
}

bool ObjectFiles::write(const std::string &name, std::string_view header, std::string_view entry) {
  const Fd file(openat(folder_.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return false;
  for (std::string_view rest : {header, entry}) {
    while (!rest.empty()) {
      const ssize_t written = ::write(file.get(), rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      rest.remove_prefix(static_cast<size_t>(written));
    }
  }
  return true;
}

void ObjectFiles::keep(const ObjectKey &key, std::string_view entry) {
  if (entry.size() > bounds_.entry_bytes) return;
  FileHead head{};
  std::memcpy(head.magic, kMagic, sizeof kMagic);
  head.key = key;
  head.entry_bytes = entry.size();
  head.digest = digest_of(entry);
  // Written under a name of its own, then renamed: readers see all of it or nothing, and of two writers the later
  // one's.
  static std::atomic<unsigned> count{0};
  const std::string name = name_of(key);
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  const std::string draft = "." + name + "." + std::to_string(getpid()) + "." + std::to_string(count++) + "." +
                            std::to_string(now.tv_sec) + std::to_string(now.tv_nsec);
  const std::string_view header(reinterpret_cast<const char *>(&head), sizeof head);
  if (!write(draft, header, entry) || renameat(folder_.get(), draft.c_str(), folder_.get(), name.c_str()) != 0) {
    (void)unlinkat(folder_.get(), draft.c_str(), 0);
    return;
  }
  remove_oldest();
}

void ObjectFiles::remove_oldest() {
  struct File {
    timespec used;
    uint64_t size_bytes;
    std::string name;
  };
  const int again = openat(folder_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *listing = again >= 0 ? fdopendir(again) : nullptr;
  if (listing == nullptr) {
    if (again >= 0) close(again);
    return;
  }
  std::vector<File> files;
  uint64_t total_bytes = 0;
  while (const dirent *entry = readdir(listing)) {
    struct stat status{};
    if (!may_be_removed(entry->d_name)) continue;
    if (fstatat(folder_.get(), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode)) continue;
    files.push_back({status.st_mtim, static_cast<uint64_t>(status.st_size), entry->d_name});
    total_bytes += files.back().size_bytes;
  }
  closedir(listing);
  std::ranges::sort(files, [](const File &a, const File &b) {
    return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
  });
  uint64_t left = files.size();
  for (const File &file : files) {
    if (left <= bounds_.files && total_bytes <= bounds_.total_bytes) break;
    (void)unlinkat(folder_.get(), file.name.c_str(), 0);
    --left;
    total_bytes -= file.size_bytes;
  }
}

}  // namespace dtrace::runtime
