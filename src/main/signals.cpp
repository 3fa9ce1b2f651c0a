// SPDX-License-Identifier: Apache-2.0
#include "main/signals.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

namespace dtrace::command {
namespace {

struct SignalRow {
  int number;
  bool may_stay_ignored;
};
constexpr SignalRow kEndings[] = {
    {SIGINT, false}, {SIGTERM, false}, {SIGQUIT, false},  {SIGHUP, true},  {SIGUSR1, true},
    {SIGUSR2, true}, {SIGALRM, true},  {SIGVTALRM, true}, {SIGPROF, true}, {SIGXCPU, true},
    {SIGPOLL, true}, {SIGPWR, true},   {SIGSTKFLT, true},
};
/// The failed write says what these would.
constexpr int kFailedWrites[] = {SIGPIPE, SIGXFSZ};
constexpr long kTickNs = 100'000'000;

// A signal handler reaches nothing else.
std::atomic<uint64_t> first_ns{0};
std::atomic<bool> second{false};
std::atomic<bool> reopen{false};
std::atomic<int> event_fd{-1};
std::atomic<timer_t> ticks{};
std::atomic<bool> has_ticks{false};
uint64_t heeded = 0;  // a bit for each signal that was ignored at our start

uint64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

void wake() {
  const uint64_t one = 1;
  if (int fd = event_fd; fd >= 0) {
    ssize_t ignored = write(fd, &one, sizeof one);
    (void)ignored;
  }
}

void on_request(int) {
  const int saved_errno = errno;
  const uint64_t now = now_ns();
  uint64_t first = 0;
  if (first_ns.compare_exchange_strong(first, now)) {
    // A call that begins to block after this signal is interrupted by the next tick.
    const itimerspec period{{0, kTickNs}, {0, kTickNs}};
    if (has_ticks) (void)timer_settime(ticks, 0, &period, nullptr);
    wake();
  } else if (now - first >= static_cast<uint64_t>(std::chrono::nanoseconds(Interrupts::kOneRequest).count())) {
    second = true;
  }
  errno = saved_errno;
}

/// The kernel sends SIGHUP when the terminal is closed. A process, such as log rotation, sends it to have the files
/// reopened.
void on_hangup(int number, siginfo_t *about, void *) {
  if (about->si_code == SI_KERNEL) return on_request(number);
  const int saved_errno = errno;
  reopen = true;
  wake();
  errno = saved_errno;
}

bool has_terminal() { return static_cast<bool>(Fd(open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC))); }

void on_tick(int) {}

/// No SA_RESTART: a call that blocks must notice.
void handle(int number, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  sigaction(number, &action, nullptr);
}

bool is_ignored(int number) {
  struct sigaction inherited{};
  sigaction(number, nullptr, &inherited);
  return inherited.sa_handler == SIG_IGN;
}

}  // namespace

void heed_ignored_signals() {
  for (const SignalRow &row : kEndings) {
    if (row.may_stay_ignored || !is_ignored(row.number)) continue;
    handle(row.number, SIG_DFL);
    heeded |= uint64_t{1} << row.number;
  }
}

void ignore_signals_again() {
  for (const SignalRow &row : kEndings)
    if ((heeded >> row.number & 1) != 0) handle(row.number, SIG_IGN);
}

Interrupts::Interrupts(bool reopens) : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  event_fd = event_.get();
  const int tick = SIGRTMIN;
  handle(tick, on_tick);
  sigevent notification{};
  notification.sigev_notify = SIGEV_THREAD_ID;  // the main thread's calls are the ones that block
  notification.sigev_signo = tick;
  notification._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
  timer_t timer{};
  if (timer_create(CLOCK_MONOTONIC, &notification, &timer) == 0) {
    ticks_ = timer;
    ticks = timer;
    has_ticks = true;
  }
  for (const SignalRow &row : kEndings)
    if (!row.may_stay_ignored || !is_ignored(row.number)) handle(row.number, on_request);
  if (reopens && !is_ignored(SIGHUP)) {
    had_terminal_ = has_terminal();
    struct sigaction action{};
    action.sa_sigaction = on_hangup;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGHUP, &action, nullptr);
  }
  dies_of_pipe_ = !is_ignored(SIGPIPE);
  for (int number : kFailedWrites)
    if (!is_ignored(number)) handle(number, on_tick);  // not ignored: commands that we start would inherit that
}

Interrupts::~Interrupts() {
  // A signal from here on is late: what was to be printed is, and the exit status is known.
  event_fd = -1;
  has_ticks = false;
  if (ticks_) timer_delete(*ticks_);
}

bool Interrupts::requested() const { return first_ns != 0; }

bool Interrupts::abandoned() const { return second; }

bool Interrupts::take_reopen() const {
  if (!reopen.exchange(false)) return false;
  uint64_t count = 0;
  ssize_t ignored = read(event_.get(), &count, sizeof count);
  (void)ignored;
  if (requested()) wake();
  if (!had_terminal_ || has_terminal()) return true;
  on_request(SIGHUP);  // a shell that was hung up sends it on to its jobs
  return false;
}

std::optional<Error> Interrupts::give_up(std::chrono::nanoseconds waiting) const {
  if (second) return Error("abandoned at a second interrupt", EINTR);
  if (requested() && waiting >= kPatience) return Error("nobody reads it", EINTR);
  return std::nullopt;
}

}  // namespace dtrace::command
