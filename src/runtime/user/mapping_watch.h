// SPDX-License-Identifier: Apache-2.0
// News of files that processes begin to execute from: an exec, a library loaded at start or later. The kernel's perf
// records of executable mappings tell, of all processes, with no program in the kernel and nothing done to the process.
//
// What a reader would get wrong: the notification comes after the fact. By the time it is read the process may have run
// code of the new file, and may be gone; then what the notification says about its mappings is all that can be known.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <set>
#include <vector>

#include "base/owned.h"
#include "base/result.h"
#include "runtime/foreign/process_maps.h"

namespace dtrace::runtime {

class MappingWatch {
 public:
  /// Begins to watch, on these CPUs.
  static Result<MappingWatch> open(const std::vector<int> &cpus);

  /// Readable when there is a notification. An epoll(7) descriptor.
  int poll_fd() const { return epoll_.get(); }

  /// An executable mapping, or with an empty one (0 to 0) the beginning of another program in the process.
  struct Event {
    pid_t pid;
    uint64_t time_ns;  ///< CLOCK_MONOTONIC
    MapEntry map;
  };
  /// The processes that mapped something since the last call.
  struct News {
    std::set<pid_t> pids;
    std::vector<Event> events;  ///< by time
    bool lost = false;          ///< there was more than the buffer holds: look at every process
  };
  News take();

 private:
  struct Cpu {
    Fd event;
    Mapping ring;
  };
  void take(Cpu &cpu, News &news);

  Fd epoll_;
  std::vector<Cpu> cpus_;
};

}  // namespace dtrace::runtime
