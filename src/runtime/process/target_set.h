// SPDX-License-Identifier: Apache-2.0
// All targets of one invocation, in command-line order: the first is $target, and tracing ends when all have ended.
#pragma once

#include <sys/types.h>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/owned.h"
#include "base/result.h"
#include "runtime/process/target.h"

namespace dtrace::runtime {

class TargetSet {
 public:
  /// -c and -p. Errors as Target's.
  Result<pid_t> create(std::string_view command, EvalTime when, std::span<const std::string> environment = {});
  Result<pid_t> grab(pid_t pid);

  /// Lets every held process go, one after the other; see Target::resume().
  Result<Unit> resume_all(const MappedFunction &mapped = {});
  /// The same of one; nothing happens if there is none of that number.
  Result<Unit> resume(pid_t pid, const MappedFunction &mapped = {});
  /// Forgets a target, as ~Target() says.
  void release(pid_t pid);

  /// Readable when poll() has something to tell; -1 while there are no targets. An epoll(7) descriptor, which other
  /// epoll descriptors may hold.
  int poll_fd() const { return epoll_.get(); }
  /// The next end of a target. Call until it returns nothing.
  std::optional<ExitNotice> poll();

  bool empty() const { return targets_.empty(); }
  /// Every target has ended; false when there never was one.
  bool all_ended() const;
  /// pid of the first target, 0 if none: the value of $target.
  pid_t first_pid() const { return targets_.empty() ? 0 : targets_.front().pid(); }
  const std::vector<Target> &targets() const { return targets_; }

 private:
  Result<pid_t> add(Result<Target> target);

  std::vector<Target> targets_;
  Fd epoll_;
};

}  // namespace dtrace::runtime
