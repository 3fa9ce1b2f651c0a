// SPDX-License-Identifier: Apache-2.0
// Output to descriptors: whole writes, one sticky error, redirection in place.
#include "runtime/print/output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace dtrace::runtime {

Result<Unit> Output::flush() {
  drain();
  if (error_) return Error(*error_);
  return ok();
}

void Output::drain() {
  if (!text_.empty() && !error_) {
    size_t written = 0;
    if (Result<Unit> done = write(text_, written); !done) {
      error_ = std::move(done).error();
      give_back_part(written);
    } else {
      part_bytes_ = row_ends_.empty() ? part_bytes_ + text_.size() : text_.size() - row_ends_.back();
      any_row_ |= !row_ends_.empty();
    }
  } else if (error_) {
    lost_rows_ += row_ends_.size();
  }
  row_ends_.clear();
  text_.clear();
}

void Output::give_back_part(size_t written) {
  const auto lost = std::upper_bound(row_ends_.begin(), row_ends_.end(), written);
  lost_rows_ += static_cast<uint64_t>(row_ends_.end() - lost);
  if (lost != row_ends_.begin()) return cut_target(written - *(lost - 1));
  if (any_row_ || !row_ends_.empty()) return cut_target(part_bytes_ + written);
  // Text without rows, as lists of probes are: whole lines are left.
  const size_t line_end = std::string_view(text_).substr(0, written).rfind('\n') + 1;  // 0 if there is none
  cut_target(line_end != 0 ? written - line_end : part_bytes_ + written);
}

Result<Unit> Output::redirect(const std::string &path) {
  drain();  // a failure stays in error_; it concerns the old target only
  if (path.empty()) {
    restore_target();
    return ok();
  }
  return open_target(path);
}

Result<Unit> Output::truncate() {
  drain();
  truncate_target();
  return ok();
}

Result<std::unique_ptr<Output>> FdOutput::append_to(const std::string &path) {
  Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!file) return Error::from_errno("failed to open output file '" + path + "'", errno);
  return std::unique_ptr<Output>(std::make_unique<FdOutput>(std::move(file)));
}

Result<Unit> FdOutput::write(std::string_view text, size_t &written) {
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> stuck_since;
  while (written < text.size()) {
    ssize_t count = ::write(fd_, text.data() + written, text.size() - written);
    if (count < 0 && errno == EAGAIN) {  // somebody made it non-blocking: a shared terminal
      pollfd ready{fd_, POLLOUT, 0};
      if (::poll(&ready, 1, -1) >= 0) continue;
    }
    if (count > 0) {
      written += static_cast<size_t>(count);
      stuck_since.reset();
    } else if (count < 0 && errno != EINTR) {
      return Error(std::strerror(errno), errno);
    }
    if (written == text.size() || !patience_) continue;
    const Clock::time_point now = Clock::now();
    if (!stuck_since) stuck_since = now;
    if (std::optional<Error> reason = patience_(now - *stuck_since)) return *std::move(reason);
  }
  return ok();
}

void FdOutput::cut_target(size_t count) {
  struct stat file{};
  if (count == 0 || ::fstat(fd_, &file) != 0 || !S_ISREG(file.st_mode)) return;
  const off_t end = ::lseek(fd_, 0, SEEK_CUR);
  if (end != file.st_size || end < static_cast<off_t>(count)) return;  // somebody else has written behind us
  if (::ftruncate(fd_, end - static_cast<off_t>(count)) == 0) (void)::lseek(fd_, 0, SEEK_END);
}

bool FdOutput::is_terminal() const { return ::isatty(fd_) != 0; }

Result<Unit> FdOutput::open_target(const std::string &path) {
  Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!file) return Error::from_errno("failed to open '" + path + "'", errno);
  const int flags = ::fcntl(fd_, F_GETFD);
  if (flags < 0) return Error::from_errno("fcntl", errno);
  if (!original_) {
    original_ = Fd(::fcntl(fd_, F_DUPFD_CLOEXEC, 3));
    if (!original_) return Error::from_errno("failed to keep the output", errno);
  }
  if (::dup3(file.get(), fd_, (flags & FD_CLOEXEC) != 0 ? O_CLOEXEC : 0) < 0) return Error::from_errno("dup3", errno);
  return ok();
}

void FdOutput::restore_target() {
  if (!original_) return;
  const int flags = ::fcntl(fd_, F_GETFD);
  (void)::dup3(original_.get(), fd_, (flags & FD_CLOEXEC) != 0 ? O_CLOEXEC : 0);
  original_.reset();
}

void FdOutput::truncate_target() {
  // Pipes and terminals refuse both; that is no error of the program.
  if (::ftruncate(fd_, 0) == 0) (void)::lseek(fd_, 0, SEEK_SET);
}

}  // namespace dtrace::runtime
