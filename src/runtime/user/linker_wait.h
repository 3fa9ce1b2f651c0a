// SPDX-License-Identifier: Apache-2.0
// Processes that wait in their dynamic linker until probes are set in what it has just mapped, so that a library loaded
// while tracing runs is traced from its first instruction. The waiting is bounded, in the kernel (bpf/programs).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "plan/plan.h"
#include "runtime/attach/attach_sites.h"

struct bpf_object;
struct ring_buffer;

namespace dtrace::runtime {

class LinkerWait {
 public:
  /// Loads the program. `multi`: the kernel has uprobe_multi; `family_map`: of followed processes, which wait at sites
  /// that are set for all processes; -1: none are followed.
  /// Errors: the kernel refuses it (those before 5.17 have no bpf_loop()).
  static Result<LinkerWait> open(bool multi, int family_map);

  /// Attaches to the linkers' function, of processes each. Nobody waits before answer() is called first.
  Result<Unit> attach(std::span<const UserSite> linkers);

  /// Readable when a process waits.
  int poll_fd() const;

  /// A process that waits.
  struct Request {
    pid_t pid;
    uint64_t time_ns;  ///< CLOCK_MONOTONIC

    /// Did it, before it could use what it mapped at `mapped_ns`, wait until `until_ns`?
    bool covers(pid_t process, uint64_t mapped_ns, uint64_t until_ns) const;
  };
  /// Those that came to wait since the last call.
  std::vector<Request> take();
  /// All mappings made until `seen_ns` have been processed: processes that wait for that go on.
  void answer(uint64_t seen_ns);

 private:
  struct Close {
    void operator()(bpf_object *object) const;
    void operator()(ring_buffer *ring) const;
  };
  std::unique_ptr<bpf_object, Close> object_;
  std::unique_ptr<ring_buffer, Close> ring_;
  std::unique_ptr<std::vector<Request>> requests_ =
      std::make_unique<std::vector<Request>>();  // the ring's reader keeps it
  std::unique_ptr<UserLinks> links_ = std::make_unique<UserLinks>();
  bool multi_ = false;
};

}  // namespace dtrace::runtime
