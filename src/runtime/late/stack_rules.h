// SPDX-License-Identifier: Apache-2.0
// Keeps what programs look up to walk user stacks (bpf/dt_unwind.h) up to date while tracing runs, on a thread of its
// own: programs ask for what they miss, the kernel reports new mappings, and what no program has asked for yet is
// brought meanwhile. A walk waits for none of it.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "arch/machine.h"
#include "base/owned.h"
#include "base/result.h"
#include "runtime/late/busy_processes.h"
#include "runtime/load/managed_programs.h"
#include "runtime/unwind/process_rules.h"
#include "runtime/user/mapping_watch.h"

struct ring_buffer;

namespace dtrace::runtime {

class Enabling;

class StackRules {
 public:
  /// Begins to serve; null: the programs walk no user stack. Errors: no memory, or the kernel refuses something.
  static Result<std::unique_ptr<StackRules>> start(Enabling &enabling, const arch::Machine &machine,
                                                   const std::vector<int> &cpus);
  ~StackRules();
  StackRules(const StackRules &) = delete;
  StackRules &operator=(const StackRules &) = delete;

  /// The pool's memory.
  std::span<const std::byte> pool() const {
    return {static_cast<const std::byte *>(memory_.data()), memory_.size_bytes()};
  }

  /// Why stacks show no functions of Python and Java, once there has been one to show; said once, for the user. Does
  /// not wait while rules are brought.
  std::optional<std::string> take_failure();

  /// Files that could not be opened since the last call: no descriptor or no memory was left: stacks through them are
  /// cut. Does not wait, either.
  uint64_t take_unopened() { return unopened_.exchange(0); }

  /// Brings all rules of the process's files, as far as there is room, before it returns.
  void complete(pid_t pid);
  /// The same of all processes there are, meanwhile.
  void complete_all();
  /// Brings the rules of those that have used a CPU since then, the busiest first, before it returns; not for longer
  /// than a second.
  void complete_busy();

 private:
  using Clock = std::chrono::steady_clock;

  StackRules(Mapping memory, Enabling &enabling, const arch::Machine &machine);
  Result<Unit> open(int asks_fd, const std::vector<int> &cpus);
  void run();
  void serve(bool has_mappings);
  void complete_next();
  void wake();
  bool shows_managed();
  void take_ask(const dt_unwind_ask &ask);
  void take_mappings();
  void know(pid_t pid, ProcessRules::Depth depth = ProcessRules::Depth::kFiles);
  bool is_target(pid_t pid);
  void look_for_ended();
  void forget_asks();
  void look_again();

  Mapping memory_;
  int processes_fd_, files_fd_;
  ManagedPrograms &managed_;
  std::mutex mutex_;                   // of what follows
  std::optional<bool> shows_managed_;  // not known until there is something to show
  std::optional<std::string> failure_;
  std::atomic<uint64_t> unopened_ = 0;
  std::atomic<bool> has_failure_ = false;  // outside of mutex_: programs are loaded while it is held
  RulePool pool_;
  ProcessRules rules_;
  std::map<pid_t, Clock::time_point> asked_;  // that asked for nothing new: when they may ask again
  std::map<pid_t, Clock::time_point> again_;  // that must be looked at once more: when
  std::vector<pid_t> to_know_;                // processes to look at when there is time
  std::optional<BusyProcesses> busy_;         // since complete_all()
  std::vector<pid_t> to_complete_;            // processes that complete_busy() waits for, the busiest last
  Clock::time_point complete_until_;          // when it ceases to wait
  std::condition_variable completed_;
  std::set<pid_t> targets_;   // and what descends from them
  bool has_targets_ = false;  // if not, every process is one
  Clock::time_point looked_;  // for processes that have ended
  bool has_more_ = false;     // pages that nobody has asked for

  std::unique_ptr<ring_buffer, void (*)(ring_buffer *)> asks_{nullptr, nullptr};
  std::optional<MappingWatch> watch_;
  Fd stop_, wake_;
  std::thread thread_;
};

}  // namespace dtrace::runtime
