// SPDX-License-Identifier: Apache-2.0
// Ends a command of system() if a SIGKILL ends us while it runs: a process of its own notices that we are gone.
//
// Why not PR_SET_PDEATHSIG: it reaches the shell, and not what the shell has started. The process is a shell, which
// system() needs anyway: a copy of us would keep the memory that we change from then on.
// Daemons stay: their parent has ended, so that they no longer descend from the shell.
#pragma once

#include <sys/types.h>

#include "base/owned.h"
#include "base/result.h"

namespace dtrace::runtime {

class CommandGuard {
 public:
  CommandGuard() = default;
  /// Waits for its process, which ends at once.
  ~CommandGuard();
  CommandGuard(const CommandGuard &) = delete;
  CommandGuard &operator=(const CommandGuard &) = delete;

  /// Starts its process, unless it is there. Where it cannot be started, commands run without it.
  void begin();
  /// In the command's process, before it runs: from here on it ends with us. A system call, and nothing else.
  void watch_caller() const;
  /// The command has ended.
  void forget() const;

 private:
  void send(pid_t pid) const;

  pid_t pid_ = -1;
  Fd line_;
};

}  // namespace dtrace::runtime
