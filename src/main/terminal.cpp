// SPDX-License-Identifier: Apache-2.0
#include "main/terminal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "base/owned.h"

namespace dtrace::command {

// Nobody may be reading: a message that cannot be delivered stops nothing.
void complain(std::string_view text) {
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> stuck_since;
  while (!text.empty()) {
    const ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<size_t>(count));
      stuck_since.reset();
      continue;
    }
    if (errno == EAGAIN) {
      pollfd ready{STDERR_FILENO, POLLOUT, 0};
      if (::poll(&ready, 1, -1) >= 0) continue;
    }
    if (errno != EINTR) return;
    // Nothing interrupts us but requests to end: they are not kept waiting by messages that nobody reads.
    if (!stuck_since) stuck_since = Clock::now();
    if (Clock::now() - *stuck_since < Interrupts::kPatience) continue;
    if (const Fd nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC)); nowhere)
      (void)::dup2(nowhere.get(), STDERR_FILENO);
    return;
  }
}

void report(std::string_view text) { complain(fmt::format("dtrace: {}\n", text)); }

void Terminal::note(std::string_view text) {
  if (!mutes_notes_) complain(fmt::format("  note: {}\n", text));
}

void Terminal::debug(std::string_view step) { complain(fmt::format("libdtrace DEBUG {}\n", step)); }

void Terminal::progress(std::string_view what, size_t done, size_t total) {
  if (isatty(STDERR_FILENO) == 0) return;
  complain(done == total ? "\r\033[K" : fmt::format("\rdtrace: {} of {} {}", done, total, what));
}

}  // namespace dtrace::command
