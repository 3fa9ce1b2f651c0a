// SPDX-License-Identifier: Apache-2.0
// A process named by -c (created, held until tracing starts) or by -p (grabbed, never stopped), and the notification of
// its end.
//
// What a reader would get wrong: create(), resume() and the destructor must run on one thread, because ptrace does; and
// a created process is ours to reap, so nobody else may wait for it. The symbolizer should remember() the pid between
// create() and resume(), when the objects are mapped and the process cannot yet be gone.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/owned.h"
#include "base/result.h"
#include "runtime/process/hold_point.h"
#include "runtime/process/tracee.h"

namespace dtrace::runtime {

/// The end of a target. text() is the notice, without prefix and newline.
struct ExitNotice {
  enum class Cause {
    kUnknown,   ///< not our child: that it ended is all the system tells
    kExited,    ///< `value` is the exit status
    kSignalled  ///< `value` is the signal
  };

  pid_t pid = 0;
  Cause cause = Cause::kUnknown;
  int value = 0;
  bool core_dumped = false;

  /// "pid 7 has exited", "pid 7 exited with status 3", "pid 7 terminated by SIGSEGV (core dumped)".
  std::string text() const;
};

/// "SIGINT"; "SIGRTMIN+3"; a number that is no signal's: "signal 99".
std::string signal_name(int signal);

/// Splits a command at blanks, as a shell does: '...' is taken as it is, in "..." a backslash stands before `"` and
/// `\`, elsewhere before any character. Nothing is expanded; an empty command is one empty word. Errors: a quote is not
/// closed.
Result<std::vector<std::string>> split_command(std::string_view command);

/// Told that a held process may have mapped something, and whether its libraries are complete.
using MappedFunction = std::function<void(pid_t, bool is_complete)>;

class Target {
 public:
  /// Starts `command` (found through PATH, stdio inherited, signals at their defaults) and holds it at `when`.
  /// Errors: "failed to execute CMD: cause".
  static Result<Target> create(std::string_view command, EvalTime when, std::span<const std::string> environment = {});
  /// Errors: "failed to grab pid N: cause".
  static Result<Target> grab(pid_t pid);

  Target(Target &&other) noexcept;
  Target &operator=(Target &&other) noexcept;
  /// Kills and reaps a created process that still runs; leaves a grabbed one alone.
  ~Target();

  /// Lets a held process go, untraced. Nothing happens to one that is not held. One that is held at its exec goes as
  /// far as follow_linker() takes it first, if `mapped` is not empty.
  Result<Unit> resume(const MappedFunction &mapped = {});

  pid_t pid() const { return pid_; }
  bool is_child() const { return is_child_; }
  bool is_held() const { return is_held_; }
  /// Where create() really held the process.
  EvalTime held_at() const { return held_at_; }

  /// Readable once the process has ended: a pidfd.
  int poll_fd() const { return pidfd_.get(); }
  /// The notice, once, when the process has ended.
  std::optional<ExitNotice> poll();
  bool has_ended() const { return has_ended_; }

 private:
  Target() = default;
  void end();
  std::optional<ExitNotice> reap();

  pid_t pid_ = -1;
  Fd pidfd_;
  Tracee tracee_;
  bool is_child_ = false;
  bool is_held_ = false;
  bool has_ended_ = false;
  EvalTime held_at_ = EvalTime::kExec;
};

}  // namespace dtrace::runtime
