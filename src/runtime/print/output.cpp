// SPDX-License-Identifier: Apache-2.0
// Output to descriptors: whole writes, one sticky error, redirection in place.
#include "runtime/print/output.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace dtrace {

Result<Unit> Output::flush() {
  drain();
  if (error_) return Error(*error_);
  return ok();
}

void Output::show(const TextMark &mark) {
  if (text_.size() == shown_) return;
  const std::string shown = watcher_(std::string_view(text_).substr(shown_), mark);
  text_.replace(shown_, std::string::npos, shown);
  shown_ = text_.size();
}

void Output::drain() {
  mark();
  shown_ = 0;
  if (!text_.empty() && !error_) {
    Result<Unit> written = write(text_);
    if (!written) error_ = std::move(written).error();
  }
  text_.clear();
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

Result<Unit> FdOutput::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(fd_, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<size_t>(count));
    } else if (errno == EAGAIN) {  // somebody made it non-blocking: a shared terminal
      pollfd ready{fd_, POLLOUT, 0};
      (void)::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return Error(std::strerror(errno), errno);
    }
    if (!text.empty() && cancel_ != nullptr && cancel_->load(std::memory_order_relaxed))
      return Error("output abandoned", EINTR);
  }
  return ok();
}

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

}  // namespace dtrace
