// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/open.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>

namespace dtrace::runtime {
namespace {

/// Opens for reading what `place` (O_PATH) refers to, if it is a regular file.
Result<Fd> open_place(const Fd &place, const std::string &name) {
  struct stat status{};
  if (::fstat(place.get(), &status) != 0) return Error::from_errno(name, errno);
  if (!S_ISREG(status.st_mode)) return Error(name + ": not a regular file");
  // O_NONBLOCK: a lease of the file's owner would let us wait.
  Fd file(::open(fmt::format("/proc/self/fd/{}", place.get()).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file) return Error::from_errno(name, errno);
  return file;
}

}  // namespace

Result<Fd> root_of(pid_t pid) {
  const std::string path = fmt::format("/proc/{}/root", pid);
  Fd root(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!root) return Error::from_errno(path, errno);
  return root;
}

Result<Fd> open_in_root(const Fd &root, const std::string &path, LastLink last_link) {
  constexpr int kAttempts = 4;  // EAGAIN: something on the path was renamed meanwhile
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC | (last_link == LastLink::kRefuse ? O_NOFOLLOW : 0);
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  Fd place;
  for (int i = 0; i < kAttempts; ++i) {
    place = Fd(static_cast<int>(::syscall(SYS_openat2, root.get(), path.c_str(), &how, sizeof how)));
    if (place || errno != EAGAIN) break;
  }
  if (!place) return Error::from_errno(path, errno);
  return open_place(place, path);
}

Result<Fd> open_regular(const std::string &path, const std::string &name) {
  const Fd place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!place) return Error::from_errno(name, errno);
  return open_place(place, name);
}

bool is_same_file(int one, int other) {
  struct stat a{}, b{};
  return ::fstat(one, &a) == 0 && ::fstat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace dtrace::runtime
