// SPDX-License-Identifier: Apache-2.0
// Output to descriptors: whole writes, one sticky error, redirection in place.
#include "runtime/print/output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/read_file.h"

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

namespace {

Fd open_appending(const std::string &path) {
  return Fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
}

/// As open(2) would make a file. umask(2) cannot be asked without setting it, for all threads.
mode_t new_file_mode() {
  constexpr std::string_view kField = "\nUmask:\t";
  constexpr mode_t kUsualMask = 022;
  mode_t mask = kUsualMask;
  if (const Result<std::string> status = read_file("/proc/self/status"))
    if (const size_t field = status->find(kField); field != std::string::npos) {
      const char *const digits = status->data() + field + kField.size();
      std::from_chars(digits, status->data() + status->size(), mask, 8);
    }
  return 0666 & ~mask;
}

}  // namespace

Result<std::unique_ptr<FdOutput>> FdOutput::append_to(const std::string &path) {
  Fd file = open_appending(path);
  if (!file) return Error::from_errno("failed to open output file '" + path + "'", errno);
  auto output = std::make_unique<FdOutput>(std::move(file));
  output->path_ = path;
  return output;
}

Result<Unit> FdOutput::rotate(const Rotation &rotation, std::function<void(std::string_view)> report) {
  struct stat file{};
  if (path_.empty() || ::fstat(fd_, &file) != 0 || !S_ISREG(file.st_mode))
    return Error("rotatesize, rotatetime: '" + path_ + "' is not a regular file");
  rotation_.emplace(rotation);
  report_ = std::move(report);
  watches_rows_ = true;
  begin_file();
  return ok();
}

/// Begins a file that has just been opened.
void FdOutput::begin_file() {
  struct stat file{};
  file_bytes_ = ::fstat(fd_, &file) == 0 ? static_cast<uint64_t>(file.st_size) : 0;
  if (rotation_) rotation_->begin_file();
}

void FdOutput::after_row() {
  if (original_ || failed()) return;  // freopen() has sent it elsewhere
  const uint64_t bytes = file_bytes_ + text().size();
  if (!rotation_->is_due(bytes)) return;
  drain();
  if (failed()) return;
  const Result<Unit> turned = turn();
  if (turned) return;
  report_("'" + path_ + "' is not rotated, and goes on: " + turned.error().text());
  rotation_->put_off(bytes);
}

Result<Unit> FdOutput::turn() {
  if (!is_same_file(path_, fd_)) return reopen();  // somebody else has renamed it
  Result<Fd> file = replace_file(path_, fd_, rotation_->keep());
  if (!file) return std::move(file.error());
  return continue_in(std::move(*file));
}

Result<Unit> FdOutput::continue_in(Fd file) {
  if (original_) {
    original_ = std::move(file);
  } else {
    const int flags = ::fcntl(fd_, F_GETFD);
    if (::dup3(file.get(), fd_, (flags & FD_CLOEXEC) != 0 ? O_CLOEXEC : 0) < 0) return Error::from_errno("dup3", errno);
  }
  begin_file();
  ++generation_;
  return ok();
}

Result<Unit> FdOutput::reopen() {
  if (path_.empty()) return ok();
  drain();
  Fd file = open_appending(path_);
  if (!file) return Error::from_errno("failed to open output file '" + path_ + "' again", errno);
  return continue_in(std::move(file));
}

Result<Unit> FdOutput::write(std::string_view text, size_t &written) {
  std::optional<Clock::time_point> stuck_since;
  while (written < text.size()) {
    ssize_t count = ::write(fd_, text.data() + written, text.size() - written);
    if (count < 0 && errno == EAGAIN) {  // somebody made it non-blocking: a shared terminal
      pollfd ready{fd_, POLLOUT, 0};
      if (::poll(&ready, 1, -1) >= 0) continue;
    }
    if (count > 0) {
      written += static_cast<size_t>(count);
      file_bytes_ += static_cast<uint64_t>(count);
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

bool FdOutput::is_terminal() const { return (is_for_terminal_ && !original_) || ::isatty(fd_) != 0; }

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
  if (::ftruncate(fd_, 0) != 0) return;
  (void)::lseek(fd_, 0, SEEK_SET);
  file_bytes_ = 0;
}

Result<std::unique_ptr<WholeFileOutput>> WholeFileOutput::at(const std::string &path) {
  std::unique_ptr<WholeFileOutput> output(new WholeFileOutput(path));
  const auto refuse = [&](int error) { return Error::from_errno("failed to open output file '" + path + "'", error); };
  if (char *const resolved = ::realpath(path.c_str(), nullptr); resolved != nullptr) {
    output->path_ = resolved;  // a link stays one
    std::free(resolved);
  }
  struct stat file{};
  const bool exists = ::stat(output->path_.c_str(), &file) == 0;
  if (exists && S_ISDIR(file.st_mode)) return refuse(EISDIR);
  if (exists && !S_ISREG(file.st_mode)) {
    output->file_ = Fd(::open(output->path_.c_str(), O_WRONLY | O_CLOEXEC));
    if (!output->file_) return refuse(errno);
    return output;
  }
  const size_t slash = output->path_.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : output->path_.substr(0, slash + 1);
  if (path.empty()) return refuse(ENOENT);
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return refuse(errno);
  return output;
}

WholeFileOutput::~WholeFileOutput() {
  if (!temporary_.empty()) (void)::unlink(temporary_.c_str());
}

Result<Unit> WholeFileOutput::make_file() {
  struct stat old{};
  const mode_t mode = ::stat(path_.c_str(), &old) == 0 ? old.st_mode & 07777 : new_file_mode();
  Result<Fd> file = make_beside(path_, mode, temporary_);
  if (!file) return std::move(file.error());
  file_ = std::move(*file);
  return ok();
}

Result<Unit> WholeFileOutput::write(std::string_view text, size_t &written) {
  if (!file_)
    if (Result<Unit> made = make_file(); !made) return made;
  while (written < text.size()) {
    const ssize_t count = ::write(file_.get(), text.data() + written, text.size() - written);
    if (count > 0)
      written += static_cast<size_t>(count);
    else if (count < 0 && errno != EINTR)
      return Error(std::strerror(errno), errno);
  }
  return ok();
}

Result<Unit> WholeFileOutput::commit() {
  if (Result<Unit> flushed = flush(); !flushed) return flushed;
  if (!file_)  // an empty one
    if (Result<Unit> made = make_file(); !made) return made;
  if (temporary_.empty()) return ok();
  if (::rename(temporary_.c_str(), path_.c_str()) != 0)
    return Error::from_errno("failed to rename '" + temporary_ + "' to '" + path_ + "'", errno);
  temporary_.clear();
  return ok();
}

bool WholeFileOutput::is_terminal() const { return file_ && ::isatty(file_.get()) != 0; }

Result<Unit> WholeFileOutput::open_target(const std::string &) {
  return Error("output that is written as a whole cannot be sent elsewhere");
}

}  // namespace dtrace::runtime
