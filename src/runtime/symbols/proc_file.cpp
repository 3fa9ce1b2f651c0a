// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/proc_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/owned.h"

namespace dtrace {

Result<std::string> read_proc_file(const std::string &path, size_t max_bytes) {
  Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return Error::from_errno(path, errno);

  std::string text;
  size_t used = 0;
  for (;;) {
    if (used == text.size()) text.resize(std::max<size_t>(16u << 10, text.size() * 2));
    const ssize_t n = ::read(fd.get(), text.data() + used, text.size() - used);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Error::from_errno(path, errno);
    if (n == 0) break;
    used += static_cast<size_t>(n);
    if (used > max_bytes) return Error(path + ": too large");
  }
  text.resize(used);
  return text;
}

}  // namespace dtrace
