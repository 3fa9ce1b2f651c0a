// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/owned.h"
#include "recording/reader.h"

namespace dtrace::recording {
namespace {

class File final : public Bytes {
 public:
  File(Fd file, std::string path, uint64_t size) : file_(std::move(file)), path_(std::move(path)), size_(size) {}

  uint64_t size() const override { return size_; }

  Result<size_t> read(uint64_t offset, std::span<char> to) override {
    size_t got = 0;
    while (got < to.size()) {
      const ssize_t more = ::pread(file_.get(), to.data() + got, to.size() - got, static_cast<off_t>(offset + got));
      if (more < 0 && errno == EINTR) continue;
      if (more < 0) return Error::from_errno(path_, errno);
      if (more == 0) break;
      got += static_cast<size_t>(more);
    }
    return got;
  }

 private:
  Fd file_;
  std::string path_;
  uint64_t size_;
};

}  // namespace

Result<std::unique_ptr<Bytes>> open_file(const std::string &path) {
  // O_NONBLOCK: open() would wait for the writer of a FIFO.
  Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file) return Error::from_errno(path, errno);
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return Error::from_errno(path, errno);
  if (!S_ISREG(status.st_mode)) return Error(path + ": not a regular file");
  return std::unique_ptr<Bytes>(std::make_unique<File>(std::move(file), path, static_cast<uint64_t>(status.st_size)));
}

}  // namespace dtrace::recording
