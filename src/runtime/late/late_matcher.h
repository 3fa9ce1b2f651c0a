// SPDX-License-Identifier: Apache-2.0
// Probes that come into being while tracing runs: a library that a traced process loads, a program it turns into,
// another file with a probe of the same name, a module that the kernel loads. The programs are in the kernel already,
// and a site's cookie says all they need, so new sites are only attached; where their arguments lie as no earlier
// site's did, a row of a table says it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "plan/plan.h"
#include "runtime/attach/module_watch.h"
#include "runtime/late/late_cookies.h"
#include "runtime/late/late_tally.h"
#include "runtime/late/unused_files.h"
#include "runtime/user/followed_processes.h"
#include "runtime/user/linker_wait.h"
#include "runtime/user/mapping_watch.h"

namespace dtrace::runtime {

class Catalog;
class Enabling;

class LateMatcher {
 public:
  LateMatcher(Catalog &catalog, Enabling &enabling, const FollowedProcesses *followed);
  LateMatcher(const LateMatcher &) = delete;
  LateMatcher &operator=(const LateMatcher &) = delete;

  /// Tells the programs the names of the probes there are. Begins to watch if some description may match more probes
  /// later, or if the program records addresses of user programs, whose maps are good only while the process is there;
  /// before the targets are let go.
  /// Out: what will not be found or known, for the user.
  std::vector<std::string> start(const std::string &tracefs, const std::vector<int> &cpus);
  bool records_user_places() const { return records_user_places_; }
  /// From now on the process, when it loads a library, waits until the library's probes are set. Called when update()
  /// can answer it soon. `multi`: the kernel has uprobe_multi. Does nothing if no description may match more probes
  /// later and before_answer() was not called, or it has no dynamic linker. Errors: the kernel refuses it, and what a
  /// library does first may be missed. It does so from end_hold() on.
  Result<Unit> hold_at_libraries(pid_t pid, bool multi);
  /// Waits for what hold_at_libraries() began.
  Result<Unit> end_hold();
  /// Called in update() before processes that wait for their libraries' probes go on, with those that mapped something.
  void before_answer(std::function<void(const std::set<pid_t> &pids)> prepare) { prepare_ = std::move(prepare); }
  /// Readable when update() has something to do; -1: never.
  int poll_fd() const { return epoll_ ? epoll_.get() : -1; }

  /// Mappings made since the last call, by time, if records_user_places(): they name addresses of processes that are
  /// gone.
  std::vector<MappingWatch::Event> hear();

  struct Outcome {
    std::set<pid_t> pids;               ///< processes that mapped something
    std::vector<std::string> problems;  ///< what could not be, for the user
  };
  /// Matches again what may have grown, and attaches what is new. `changed`: a process that is looked at in any case.
  /// `held`: one that does not run meanwhile, so that no probe in it is late.
  Outcome update(std::optional<pid_t> changed = {}, std::optional<pid_t> held = {});
  /// By file, the probes that were set too late since the last call. `is_end`: with those of which it is not certain.
  std::map<std::string, LateTally::Late> take_late(bool is_end);
  /// How often notifications of mappings were lost since the last call.
  uint64_t take_unheard() { return tally_.take_unheard(); }

 private:
  /// Files whose sites of a probe are attached, for a process or, with 0, for all.
  using Attached = std::tuple<uint32_t, const UserFile *, int>;

  void take_news();
  void take_event(const MappingWatch::Event &event);
  void look(std::optional<pid_t> changed, std::optional<pid_t> held, Outcome &outcome);
  Result<Unit> tell_names(ProbeId id);
  void tell_names(const std::vector<ProbeId> &ids, std::vector<std::string> &problems);
  Result<Unit> watch_mappings(const std::vector<int> &cpus);
  Result<Unit> watch_modules(const std::string &tracefs, const std::vector<int> &cpus);
  Result<Unit> wait_for(int fd);
  void forget_modules();
  void attach(ProbeId id, std::map<uint32_t, std::vector<SitePlan>> &sites, Outcome &outcome);
  bool publish_operands(uint32_t index, std::span<const UserOperand> operands);
  void watch_unused(std::span<const SitePlan> sites);
  void begin_forgetting(Outcome &outcome);
  void end_forgetting();

  Catalog &catalog_;
  Enabling &enabling_;
  const FollowedProcesses *followed_;                  // null: no children are followed
  std::vector<uint32_t> growing_;                      // clauses whose description may match more
  std::map<uint32_t, std::vector<uint32_t>> clauses_;  // of the probes that were matched, ascending
  std::set<Attached> attached_;
  UnusedFiles unused_;
  /// Files whose probes are being removed. What is mapped of them meanwhile is looked at afterwards: it would be new
  /// files, with the old probes still there.
  struct Forgetting {
    std::set<const UserFile *> files;
    std::set<uint64_t> inodes;
    std::vector<MappingWatch::Event> held;
  };
  std::optional<Forgetting> forgetting_;
  std::shared_ptr<const Fd> forgotten_;  // eventfd: the probes are removed
  bool records_user_places_ = false;
  LateCookies cookies_;
  LateTally tally_;
  uint64_t last_look_ns_ = 0;
  std::optional<MappingWatch> mappings_;
  MappingWatch::News unseen_;                   // of what was heard: processes to match, events to hand out
  std::vector<MappingWatch::Event> unmatched_;  // events that providers have not seen
  std::optional<LinkerWait> linkers_;
  std::future<Result<Unit>> holding_;  // linkers_ is busy; its destructor waits
  std::optional<ModuleWatch> modules_;
  std::function<void(const std::set<pid_t> &)> prepare_;
  Fd epoll_;  // of the watches
};

}  // namespace dtrace::runtime
