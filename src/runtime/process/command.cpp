// SPDX-License-Identifier: Apache-2.0
#include "runtime/process/command.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <map>
#include <optional>

#include "base/folder.h"
#include "base/owned.h"
#include "base/read_file.h"
#include "runtime/process/start_program.h"

namespace dtrace::runtime {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kGraceMs = 500;

/// Parents of all processes, by pid.
std::map<pid_t, pid_t> parents() {
  std::map<pid_t, pid_t> all;
  (void)each_entry("/proc", [&](const std::filesystem::directory_entry &entry) {
    const std::string name = entry.path().filename().string();
    pid_t pid = 0, parent = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), pid).ptr != name.data() + name.size()) return;
    const Result<std::string> stat = read_file(fmt::format("/proc/{}/stat", pid));
    const size_t end = stat ? stat->rfind(')') : std::string::npos;  // the name before it may hold anything
    if (end == std::string::npos || end + 4 > stat->size()) return;
    const char *first = stat->data() + end + 4;  // ") S "
    std::from_chars(first, stat->data() + stat->size(), parent);
    all[pid] = parent;
  });
  return all;
}

/// A handle that no later process of the same number can be taken for.
Fd handle_of(pid_t pid) { return Fd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))); }

void send(const Fd &process, int signal) {
  if (process) (void)syscall(SYS_pidfd_send_signal, process.get(), signal, nullptr, 0);
}

std::atomic<pid_t> group_to_end{0};

void end_group_and_die(int number) {
  if (const pid_t group = group_to_end; group > 0) ::kill(-group, SIGKILL);
  ::signal(number, SIG_DFL);
  ::raise(number);  // blocked in the handler: it ends us when this returns
}

}  // namespace

void end_with_descendants(pid_t child) {
  // A stopped process starts no others: once a round finds nothing new, all have been found.
  std::map<pid_t, Fd> family;
  family[child] = handle_of(child);
  send(family[child], SIGSTOP);
  for (bool found = true; found;) {
    found = false;
    for (const auto &[pid, parent] : parents()) {
      if (family.contains(pid) || !family.contains(parent)) continue;
      Fd handle = handle_of(pid);
      send(handle, SIGSTOP);
      family[pid] = std::move(handle);
      found = true;
    }
  }
  for (const auto &[pid, handle] : family) send(handle, SIGTERM);
  for (const auto &[pid, handle] : family) send(handle, SIGCONT);
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(kGraceMs);
  for (const auto &[pid, handle] : family) {
    pollfd ended{handle.get(), POLLIN, 0};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    while (handle && poll(&ended, 1, static_cast<int>(std::max<int64_t>(left, 0))) < 0 && errno == EINTR &&
           Clock::now() < end) {
    }
    send(handle, SIGKILL);
  }
}

Result<ShellEnd> run_shell(const std::string &command, CommandGuard &guard, const GiveUp &give_up) {
  guard.begin();
  std::string shell = "sh", option = "-c", text = command;
  char *argv[] = {shell.data(), option.data(), text.data(), nullptr};
  const Result<pid_t> started = start_program("/bin/sh", argv, [&guard] {
    guard.watch_caller();
    return true;
  });
  if (!started) return Error::from_errno("cannot run a shell", started.error().errno_value());
  const pid_t pid = *started;
  std::optional<Clock::time_point> interrupted;
  bool ended = false;
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) break;  // ECHILD: SIGCHLD is ignored, and it is gone
    if (ended || !give_up) continue;
    if (!interrupted) interrupted = Clock::now();
    if (!give_up(Clock::now() - *interrupted)) continue;
    end_with_descendants(pid);
    ended = true;
  }
  guard.forget();
  return ShellEnd{ended, WIFSIGNALED(status) ? WTERMSIG(status) : 0};
}

DiesWithUs::DiesWithUs(pid_t group) {
  group_to_end = group;
  for (size_t i = 0; i < std::size(kNumbers); ++i) {
    ::sigaction(kNumbers[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_DFL) continue;
    struct sigaction action{};
    action.sa_handler = end_group_and_die;
    ::sigaction(kNumbers[i], &action, nullptr);
  }
}

DiesWithUs::~DiesWithUs() {
  group_to_end = 0;
  for (size_t i = 0; i < std::size(kNumbers); ++i) ::sigaction(kNumbers[i], &before_[i], nullptr);
}

}  // namespace dtrace::runtime
