// SPDX-License-Identifier: Apache-2.0
// Commands that dtrace runs and waits for: system() and the preprocessor. Unlike std::system(), a signal that asks
// dtrace to end reaches them.
#pragma once

#include <spawn.h>
#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <string>

#include "base/result.h"
#include "runtime/process/command_guard.h"

namespace dtrace::runtime {

/// Is asked when the wait is interrupted; `waiting`: since the first interruption.
using GiveUp = std::function<bool(std::chrono::nanoseconds waiting)>;

/// How a command has ended.
struct ShellEnd {
  bool given_up = false;  ///< it was ended, with all that it had started
  int signal = 0;         ///< that ended the shell; 0: none did
};

/// Runs `sh -c command` with our standard streams and waits for it. `guard` ends it if we are killed. The command's own
/// status is ignored, as the reference says.
Result<ShellEnd> run_shell(const std::string &command, CommandGuard &guard, const GiveUp &give_up);

/// Ends a child of ours and all its descendants: SIGTERM, and SIGKILL after half a second. Does not wait for the child.
void end_with_descendants(pid_t child);

/// While it lives, signals whose default action is to end us end a process group first.
class DiesWithUs {
 public:
  explicit DiesWithUs(pid_t group);
  ~DiesWithUs();
  DiesWithUs(const DiesWithUs &) = delete;
  DiesWithUs &operator=(const DiesWithUs &) = delete;

 private:
  static constexpr int kNumbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGUSR1, SIGUSR2, SIGPIPE};
  struct sigaction before_[std::size(kNumbers)] = {};
};

}  // namespace dtrace::runtime
