// SPDX-License-Identifier: Apache-2.0
#include "main/screen.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <utility>

namespace dtrace::command {
namespace {

// Alternate screen, no cursor, no wrapping at the right edge; and back.
constexpr std::string_view kEnter = "\033[?1049h\033[?25l\033[?7l\033[2J";
constexpr std::string_view kLeave = "\033[0m\033[?7h\033[?25h\033[?1049l";
constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
constexpr std::chrono::milliseconds kPatience{100};  // with a terminal that takes nothing

struct KeyRow {
  std::string_view sequence;
  Key key;
};
constexpr KeyRow kKeyRows[] = {
    {"\033[A", Key::kUp},      {"\033[B", Key::kDown},      {"\033[C", Key::kRight}, {"\033[D", Key::kLeft},
    {"\033OA", Key::kUp},      {"\033OB", Key::kDown},      {"\033OC", Key::kRight}, {"\033OD", Key::kLeft},
    {"\033[5~", Key::kPageUp}, {"\033[6~", Key::kPageDown}, {"\033[H", Key::kHome},  {"\033[F", Key::kEnd},
    {"\033OH", Key::kHome},    {"\033OF", Key::kEnd},       {"\033[1~", Key::kHome}, {"\033[4~", Key::kEnd},
};

// The handlers reach nothing else.
std::atomic<bool> resized{false}, resumed{false};
std::atomic<int> crash_fd{-1};
termios crash_settings{};

void on_resize(int) { resized = true; }
void on_resume(int) { resumed = true; }

/// tcsetattr() and write() may be called here; the signal then does what it does.
void on_crash(int number) {
  if (const int fd = crash_fd.exchange(-1); fd >= 0) {
    const ssize_t ignored = ::write(fd, kLeave.data(), kLeave.size());
    (void)ignored;
    (void)tcsetattr(fd, TCSANOW, &crash_settings);
  }
  std::signal(number, SIG_DFL);
  std::raise(number);
}

void handle(int number, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;  // no SA_RESTART: what waits is to draw anew
  sigaction(number, &action, nullptr);
}

bool is_whole(std::string_view sequence) {
  return sequence.size() >= 3 && sequence[1] != '[' ? true
         : sequence.size() >= 3                     ? sequence.back() >= '@' && sequence.back() <= '~'
                                                    : false;
}

}  // namespace

Result<Screen> Screen::of_standard_output() {
  if (isatty(STDOUT_FILENO) == 0)
    return Error(
        "--live shows a screen, and standard output is not a terminal: leave --live out, or run it in a terminal");
  const char *const kind = std::getenv("TERM");
  if (kind == nullptr || *kind == '\0')
    return Error("--live needs to know the terminal, and TERM is not set: set it, as in TERM=xterm");
  if (std::string_view(kind) == "dumb" || std::string_view(kind) == "unknown")
    return Error(fmt::format("--live needs a terminal with a cursor that moves, and TERM is '{}'", kind));
  // A description of our own, which may be non-blocking. Where the terminal's name leads nowhere, keys wait for nobody
  // and writing may block.
  const char *const name = ttyname(STDOUT_FILENO);
  Fd terminal(name == nullptr ? -1 : open(name, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
  if (!terminal) terminal = Fd(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
  if (!terminal) return Error::from_errno("--live: cannot open the terminal", errno);
  return Screen(std::move(terminal));
}

Screen::~Screen() { leave(); }

Result<Unit> Screen::enter() {
  termios settings{};
  if (before_)
    settings = *before_;
  else if (tcgetattr(terminal_.get(), &settings) != 0)
    return Error::from_errno("--live: the terminal", errno);
  termios raw = settings;
  // Keys come one by one and are not shown; Ctrl-C stays a signal, Ctrl-Z becomes a key.
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | IEXTEN);
  raw.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL | INLCR);
  raw.c_cc[VMIN] = 0;
  raw.c_cc[VTIME] = 0;
  raw.c_cc[VSUSP] = _POSIX_VDISABLE;
  crash_settings = settings;
  crash_fd = terminal_.get();
  for (const int number : kCrashes) handle(number, on_crash);
  handle(SIGWINCH, on_resize);
  handle(SIGCONT, on_resume);
  // From the background this would stop us; then the terminal is not ours to change.
  if (tcsetattr(terminal_.get(), TCSADRAIN, &raw) != 0) {
    crash_fd = -1;
    return Error::from_errno("--live: the terminal", errno);
  }
  before_ = settings;
  forget();
  (void)write(kEnter);
  return ok();
}

void Screen::leave() {
  if (!before_) return;
  crash_fd = -1;
  for (const int number : kCrashes) std::signal(number, SIG_DFL);
  (void)write(kLeave);
  // What was typed and not read is no input for the shell.
  while (tcsetattr(terminal_.get(), TCSAFLUSH, &*before_) != 0 && errno == EINTR) continue;
  before_.reset();
  forget();
}

runtime::LiveSize Screen::size() const {
  winsize window{};
  if (ioctl(terminal_.get(), TIOCGWINSZ, &window) != 0 || window.ws_col == 0 || window.ws_row == 0) return {};
  return {window.ws_col, window.ws_row};
}

bool Screen::take_resume() { return resumed.exchange(false) && before_.has_value(); }

bool Screen::take_resize() { return resized.exchange(false); }

std::vector<int> Screen::keys() {
  char buffer[256];
  for (ssize_t count = 0; (count = read(terminal_.get(), buffer, sizeof buffer)) != 0;) {
    if (count < 0) {
      if (errno == EIO) is_gone_ = true;
      break;
    }
    pending_.append(buffer, static_cast<size_t>(count));
  }
  std::vector<int> keys;
  while (!pending_.empty()) {
    if (pending_[0] != '\033') {
      keys.push_back(static_cast<unsigned char>(pending_[0]));
      pending_.erase(0, 1);
      continue;
    }
    const size_t next = pending_.find('\033', 1);
    size_t length = 1;
    while (length < std::min(next, pending_.size()) && !is_whole(std::string_view(pending_).substr(0, length)))
      ++length;
    const std::string sequence = pending_.substr(0, length);
    pending_.erase(0, length);  // a lone Escape, or a sequence of a key that means nothing, is passed over
    const auto *const row = std::ranges::find(kKeyRows, sequence, &KeyRow::sequence);
    if (row != std::end(kKeyRows)) keys.push_back(static_cast<int>(row->key));
  }
  return keys;
}

bool Screen::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(terminal_.get(), text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<size_t>(count));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno == EIO) is_gone_ = true;
    if (errno != EAGAIN) return false;
    pollfd ready{terminal_.get(), POLLOUT, 0};
    if (poll(&ready, 1, static_cast<int>(kPatience.count())) <= 0) return false;
  }
  return true;
}

void Screen::draw(std::vector<std::string> lines) {
  std::string text;
  const bool all = shown_.empty();
  if (all) text += "\033[0m\033[2J";
  for (size_t i = 0; i < std::max(lines.size(), shown_.size()); ++i) {
    const std::string_view line = i < lines.size() ? std::string_view(lines[i]) : std::string_view();
    if (!all && i < shown_.size() && shown_[i] == line) continue;
    // Emptied first: behind a full line the cursor is on its last column, which \033[K would empty.
    text += fmt::format("\033[{};1H\033[0m\033[2K{}", i + 1, line);
  }
  text += "\033[0m";
  const bool written = write(text);
  shown_ = std::move(lines);
  if (!written) forget();
}

}  // namespace dtrace::command
