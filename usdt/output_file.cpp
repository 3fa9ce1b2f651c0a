// SPDX-License-Identifier: Apache-2.0
#include "usdt/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>

#include "base/owned.h"

namespace dtrace::usdt {
namespace {

constexpr mode_t kMode = 0666;  // less the umask

Result<Unit> write_all(int fd, std::string_view content, const std::string &path) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Error::from_errno(path, errno);
    content.remove_prefix(static_cast<size_t>(n));
  }
  return ok();
}

Result<Unit> write_special(const std::string &path, std::string_view content) {
  Fd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd) return Error::from_errno(path, errno);
  return write_all(fd.get(), content, path);
}

/// The file that a chain of links ends in, so that renaming replaces it and not the link.
std::string without_links(const std::string &path) {
  char resolved[PATH_MAX];
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) return path;
  return ::realpath(path.c_str(), resolved) != nullptr ? resolved : path;
}

}  // namespace

Result<Unit> replace_file(const std::string &path, std::string_view content) {
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) return write_special(path, content);
  const std::string target = without_links(path);
  std::string temporary;
  Fd fd;
  for (unsigned attempt = 0; !fd; ++attempt) {
    temporary = fmt::format("{}.{}.{}.tmp", target, ::getpid(), attempt);
    fd = Fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode));
    if (!fd && errno != EEXIST) return Error::from_errno(path, errno);
  }
  Result<Unit> written = write_all(fd.get(), content, path);
  // A file system may report a full disk only now.
  if (written && ::close(fd.release()) != 0) written = Error::from_errno(path, errno);
  if (written && ::rename(temporary.c_str(), target.c_str()) != 0) written = Error::from_errno(path, errno);
  if (!written) ::unlink(temporary.c_str());
  return written;
}

}  // namespace dtrace::usdt
