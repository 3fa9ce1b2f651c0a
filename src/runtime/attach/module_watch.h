// SPDX-License-Identifier: Apache-2.0
// News of kernel modules that are loaded or unloaded: the kernel's own tracepoints for it, as perf events with no
// program.
//
// What a reader would get wrong: the notification comes after the fact. The first functions of a module may have run by
// then.
#pragma once

#include <string>
#include <vector>

#include "base/owned.h"
#include "base/result.h"

namespace dtrace::runtime {

class ModuleWatch {
 public:
  /// Begins to watch, on these CPUs. Errors: the kernel has no modules, or `tracefs` does not answer.
  static Result<ModuleWatch> open(const std::string &tracefs, const std::vector<int> &cpus);

  /// Readable when there is a notification. An epoll(7) descriptor.
  int poll_fd() const { return epoll_.get(); }
  /// Whether modules came or went since the last call.
  bool take();

 private:
  struct Source {
    Fd event;
    Mapping ring;
  };
  Fd epoll_;
  std::vector<Source> sources_;
};

}  // namespace dtrace::runtime
