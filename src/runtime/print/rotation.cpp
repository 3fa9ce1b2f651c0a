// SPDX-License-Identifier: Apache-2.0
#include "runtime/print/rotation.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace dtrace::runtime {

Result<Rotation> rotation_of(const Options &options) {
  constexpr int64_t kMaxKept = 9999;
  Rotation rotation;
  rotation.size_bytes = static_cast<uint64_t>(options.number(Opt::rotatesize));
  rotation.age = std::chrono::nanoseconds(options.number(Opt::rotatetime));
  rotation.keep = static_cast<unsigned>(std::clamp<int64_t>(options.number(Opt::rotatekeep), 0, kMaxKept));
  if (rotation.keep != options.number(Opt::rotatekeep)) return Error("rotatekeep: at most 9999 old files are kept");
  return rotation;
}

bool is_same_file(const std::string &path, int fd) {
  struct stat by_path{}, open{};
  return ::stat(path.c_str(), &by_path) == 0 && ::fstat(fd, &open) == 0 && by_path.st_dev == open.st_dev &&
         by_path.st_ino == open.st_ino;
}

Result<Fd> make_beside(const std::string &path, mode_t mode, std::string &name) {
  name = path + ".XXXXXX";
  Fd file(::mkostemp(name.data(), O_APPEND | O_CLOEXEC));
  if (!file) {
    const int error = errno;
    name.clear();
    return Error::from_errno("failed to make a file beside '" + path + "'", error);
  }
  (void)::fchmod(file.get(), mode);
  return file;
}

/// The new file is there before a name changes, so whatever fails, there is a file to write to.
Result<Fd> replace_file(const std::string &path, int fd, unsigned keep) {
  struct stat old{};
  std::string temporary;
  if (::fstat(fd, &old) != 0) return Error::from_errno("fstat", errno);
  Result<Fd> file = make_beside(path, old.st_mode & 07777, temporary);
  if (!file) return file;
  const auto name = [&](unsigned number) { return path + "." + std::to_string(number); };
  const auto rename = [](const std::string &from, const std::string &to) -> Result<Unit> {
    if (::rename(from.c_str(), to.c_str()) == 0 || errno == ENOENT) return ok();
    return Error::from_errno("failed to rename '" + from + "' to '" + to + "'", errno);
  };
  const auto rename_all = [&]() -> Result<Unit> {
    for (unsigned i = keep; i > 1; --i)
      if (Result<Unit> renamed = rename(name(i - 1), name(i)); !renamed) return renamed;
    if (keep != 0)
      if (Result<Unit> renamed = rename(path, name(1)); !renamed) return renamed;
    if (::rename(temporary.c_str(), path.c_str()) == 0) return ok();
    const int error = errno;
    if (keep != 0) (void)::rename(name(1).c_str(), path.c_str());
    return Error::from_errno("failed to rename '" + temporary + "'", error);
  };
  if (Result<Unit> renamed = rename_all(); !renamed) {
    (void)::unlink(temporary.c_str());
    return std::move(renamed.error());
  }
  return file;
}

}  // namespace dtrace::runtime
