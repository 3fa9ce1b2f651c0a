// SPDX-License-Identifier: Apache-2.0
// The families of option follow: each target with the processes that it and its children fork once tracing runs.
//
// What a reader would get wrong: the map in the kernel is the truth. BPF programs change it when a process forks or
// ends (bpf/programs/family_watch.c) and probes ask it when they fire, so nothing here has to be quick.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "base/owned.h"
#include "base/result.h"

struct bpf_link;
struct bpf_object;
struct ring_buffer;

namespace dtrace::runtime {

class FollowedProcesses {
 public:
  FollowedProcesses();
  ~FollowedProcesses();
  FollowedProcesses(const FollowedProcesses &) = delete;
  FollowedProcesses &operator=(const FollowedProcesses &) = delete;

  /// A target whose children are to be followed. Errors: there are DT_MAX_FAMILIES already.
  Result<Unit> add(pid_t root);
  /// Number of the target's family, from 1; 0: its children are not followed.
  uint32_t family_of(pid_t root) const;
  /// The processes of the target's family that live: the target first, even if it has ended.
  std::vector<pid_t> members(pid_t root) const;
  /// Is the process in the target's family?
  bool contains(pid_t root, pid_t pid) const;
  bool contains(pid_t pid) const { return families_of(pid) != 0; }

  /// Begins to follow. `programs_map`: dt_family of the programs, -1: they have none; `pid_namespace`: inode of
  /// dtrace's, 0: the initial one. Errors: the kernel refuses the program.
  Result<Unit> start(int programs_map, uint32_t pid_namespace);
  /// The map, -1 before start().
  int map_fd() const { return map_; }
  /// Readable when a process has left its family.
  int poll_fd() const;
  /// Nobody is in any family any more.
  bool all_ended() const;
  /// A target has ended, and perhaps before start() could see that.
  void ended(pid_t root);
  /// Children that were not followed since the last call, because there was no room.
  uint64_t take_left_out();

 private:
  struct CloseObject {
    void operator()(bpf_object *object) const;
  };
  struct CloseLink {
    void operator()(bpf_link *link) const;
  };
  struct CloseRing {
    void operator()(ring_buffer *ring) const;
  };
  uint64_t families_of(pid_t pid) const;

  std::vector<pid_t> roots_;
  std::unique_ptr<bpf_object, CloseObject> object_;
  std::vector<std::unique_ptr<bpf_link, CloseLink>> links_;
  std::unique_ptr<ring_buffer, CloseRing> ends_;
  Mapping globals_;
  uint64_t known_left_out_ = 0;
  int map_ = -1;
};

}  // namespace dtrace::runtime
