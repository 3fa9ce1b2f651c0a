// SPDX-License-Identifier: Apache-2.0
// Keeps what the programs in the kernel know of cgroups: an entry for each, with the answers to the comparisons of the
// program. A cgroup that is made while tracing runs gets its entry from a program of its own
// (bpf/programs/cgroup_watch.c), before a process can be in it.
//
// What a reader would get wrong: until a runtime has written a container's name, comparisons with it are answered
// without it. They are counted in the entry; if the name changes an answer, they were wrong, and take_late() returns
// them.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/options.h"
#include "base/owned.h"
#include "base/result.h"
#include "plan/plan.h"
#include "runtime/cgroups/cgroup_names.h"

struct bpf_link;
struct bpf_object;
struct dt_cgroup;
struct ring_buffer;

namespace dtrace::runtime {

class CgroupWatch {
 public:
  using Clock = std::chrono::steady_clock;

  /// Begins to watch, then reads the system and fills the entries: no cgroup is missed in between. `table`: the map of
  /// section .bss.dt_cgroups, -1: the programs compare nothing; `texts`: the map dt_cgroup_names, or -1. All that is
  /// passed outlives the watch. Errors: the kernel refuses the program.
  static Result<std::unique_ptr<CgroupWatch>> start(CgroupNames &names, const Plan &plan, const Options &options,
                                                    int table, int texts);
  ~CgroupWatch();
  CgroupWatch(const CgroupWatch &) = delete;
  CgroupWatch &operator=(const CgroupWatch &) = delete;

  /// Readable when a cgroup was made or removed.
  int poll_fd() const;
  /// Hears what happened, and looks for names when it is time to, or `now`.
  void update(bool now = false);
  /// When update() has something to do by itself.
  Clock::time_point next() const;
  /// Comparisons that were made before a name was known and would have had another answer; since the last call.
  uint64_t take_late() { return std::exchange(late_, 0); }
  /// Cgroups for which the table has no room, all in all.
  uint64_t nr_without_entry() const { return nr_without_entry_; }

 private:
  CgroupWatch(CgroupNames &names, const Plan &plan, const Options &options);
  Result<Unit> open(int table, int texts);
  void tell_what_is_wanted(std::vector<char> &texts, void *layout);
  static int note_event(void *self, void *data, size_t size_bytes);
  std::span<dt_cgroup> set_of(uint64_t id);
  dt_cgroup *entry_of(uint64_t id, bool make);
  void publish(uint64_t id);
  void publish_text(uint64_t id);
  void forget(Clock::time_point until);

  struct Event {
    uint64_t id, parent;
    bool is_removal;
    std::string path;
  };
  struct CloseObject {
    void operator()(bpf_object *object) const;
  };
  struct CloseLink {
    void operator()(bpf_link *link) const;
  };
  struct CloseRing {
    void operator()(ring_buffer *ring) const;
  };

  CgroupNames &names_;
  const Plan &plan_;
  const Options &options_;
  bool path_says_all_ = false;
  std::unique_ptr<bpf_object, CloseObject> object_;
  std::vector<std::unique_ptr<bpf_link, CloseLink>> links_;
  std::unique_ptr<ring_buffer, CloseRing> ring_;
  Mapping table_;
  uint64_t *lost_events_ = nullptr;  // in globals_
  Mapping globals_;
  uint64_t known_lost_events_ = 0;
  int texts_ = -1;
  std::vector<Event> events_;
  std::deque<std::pair<Clock::time_point, uint64_t>> removed_;  // entries to free, with the time of their removal
  Clock::time_point next_look_ = Clock::time_point::max();
  Clock::duration pause_{};
  uint64_t late_ = 0, nr_without_entry_ = 0;
};

}  // namespace dtrace::runtime
