// SPDX-License-Identifier: Apache-2.0
#include "main/kept_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "base/printable.h"
#include "main/terminal.h"

namespace dtrace::command {
namespace {

constexpr off_t kTailBytes = 16 * 1024;  // the last lines are looked for in so much

/// In $TMPDIR, /var/tmp or /tmp: a run may print for days, and memory is not for that.
Fd file_without_name() {
  const char *const wanted = std::getenv("TMPDIR");
  for (const char *const folder : {wanted == nullptr ? "" : wanted, "/var/tmp", "/tmp"}) {
    if (*folder == '\0') continue;
    Fd file(open(folder, O_TMPFILE | O_RDWR | O_APPEND | O_CLOEXEC, 0600));
    if (file) return file;
    std::string name = std::string(folder) + "/dtrace-XXXXXX";  // file systems without O_TMPFILE
    file = Fd(mkostemp(name.data(), O_APPEND | O_CLOEXEC));
    if (!file) continue;
    (void)unlink(name.c_str());
    return file;
  }
  return {};
}

std::string expanded(std::string_view line) {
  std::string text;
  for (const char c : line) c == '\t' ? text.append(8 - text.size() % 8, ' ') : text.append(1, c);
  return printable(text);
}

}  // namespace

KeptStreams::~KeptStreams() {
  if (const Result<Unit> ended = end(); !ended) report(ended.error().text());
}

Result<Unit> KeptStreams::begin() {
  Fd file = file_without_name();
  if (!file) return Error::from_errno("--live: cannot create a file for what is printed meanwhile", errno);
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO}) {
    if (isatty(fd) == 0) continue;
    Stream stream{fd, Fd(fcntl(fd, F_DUPFD_CLOEXEC, 3))};
    const Fd nothing(fd == STDIN_FILENO ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1);
    if (!stream.original || dup2(nothing ? nothing.get() : file.get(), fd) < 0) {
      const int reason = errno;
      (void)end();
      return Error::from_errno("--live", reason);
    }
    streams_.push_back(std::move(stream));
  }
  file_ = std::move(file);
  return ok();
}

Result<Unit> KeptStreams::end() {
  for (const Stream &stream : streams_) {
    (void)dup2(stream.original.get(), stream.fd);
    if (stream.fd == STDOUT_FILENO) target_ = STDOUT_FILENO;
  }
  streams_.clear();
  return file_ ? copy() : ok();
}

Result<Unit> KeptStreams::copy() {
  char buffer[16 * 1024];
  for (ssize_t count = 0; (count = pread(file_.get(), buffer, sizeof buffer, copied_)) != 0;) {
    if (count < 0) return Error::from_errno("--live: what was printed cannot be read", errno);
    copied_ += count;
    for (ssize_t done = 0; done < count;) {
      const ssize_t written = write(target_, buffer + done, static_cast<size_t>(count - done));
      if (written >= 0) {
        done += written;
        continue;
      }
      if (errno == EAGAIN) {
        pollfd ready{target_, POLLOUT, 0};
        (void)poll(&ready, 1, -1);
      } else if (errno != EINTR) {
        return Error::from_errno("--live: what was printed cannot be written", errno);
      }
    }
  }
  return ok();
}

std::vector<std::string> KeptStreams::last_lines(size_t most) const {
  struct stat about{};
  if (!file_ || fstat(file_.get(), &about) != 0 || about.st_size == 0) return {};
  const off_t begin = std::max<off_t>(0, about.st_size - kTailBytes);
  std::string text(static_cast<size_t>(about.st_size - begin), '\0');
  const ssize_t count = pread(file_.get(), text.data(), text.size(), begin);
  text.resize(count > 0 ? static_cast<size_t>(count) : 0);
  std::vector<std::string> lines;
  for (std::string_view rest = text; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) lines.push_back(expanded(line));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (lines.size() > most) lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(most));
  return lines;
}

}  // namespace dtrace::command
