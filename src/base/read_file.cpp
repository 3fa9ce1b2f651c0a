// SPDX-License-Identifier: Apache-2.0
#include "base/read_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/owned.h"

namespace dtrace {

Result<std::string> read_to_end(int fd, std::string_view what, size_t max_bytes) {
  std::string text;
  size_t used = 0;
  for (;;) {
    if (used == text.size()) text.resize(std::max<size_t>(16u << 10, text.size() * 2));
    const ssize_t got = ::read(fd, text.data() + used, text.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Error::from_errno(what, errno);
    if (got == 0) break;
    used += static_cast<size_t>(got);
    if (used > max_bytes) return Error(std::string(what) + ": too large");
  }
  text.resize(used);
  return text;
}

Result<std::string> read_file(const std::string &path, size_t max_bytes) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return Error::from_errno(path, errno);
  return read_to_end(fd.get(), path, max_bytes);
}

}  // namespace dtrace
