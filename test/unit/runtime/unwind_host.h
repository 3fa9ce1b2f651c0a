// SPDX-License-Identifier: Apache-2.0
// The walk of bpf/unwind.bpf.c on the host: of processes that are stopped, by a pool in our own memory.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "arch/machine.h"
#include "bpf/dt_unwind.h"
#include "runtime/unwind/process_rules.h"

namespace dtrace::runtime::test {

/// The registers of a thread that ptrace(2) has stopped, or as a test sets them.
struct StoppedRegisters {
  std::array<uint64_t, 40> words{};  ///< struct user_regs_struct, as struct pt_regs begins on all machines that we know
  uint64_t thread_pointer = 0;

  static StoppedRegisters read(pid_t thread);
  /// By its offset in struct pt_regs.
  uint64_t at(uint32_t offset) const;
};

struct Walk {
  std::vector<uint64_t> frames;
  uint32_t end = 0;
};

/// A pool, what is known of processes, and walks of their stacks. One at a time.
class HostWalker {
 public:
  explicit HostWalker(uint64_t pool_bytes = 16 << 20, const arch::Machine &machine = arch::host_machine());
  ~HostWalker();

  RulePool &pool() { return pool_; }
  ProcessRules &rules() { return rules_; }
  const arch::Machine &machine() const { return machine_; }
  const std::map<pid_t, dt_unwind_process> &told() const { return told_; }
  /// Makes these the mappings of a process, whatever it maps.
  void set_mappings(pid_t pid, std::span<const dt_unwind_mapping> mappings);
  /// Walks a thread that ptrace(2) has stopped with these registers.
  Walk walk(pid_t pid, const StoppedRegisters &registers, uint32_t most = 512, uint32_t flags = 0);
  /// Pages that were asked for, by the offsets of their words. With `answers`, a walk gets them at once.
  std::vector<uint64_t> asked;
  bool answers = true;
  /// Reads the process's memory in place of the kernel.
  std::function<bool(void *to, uint32_t size_bytes, uint64_t from)> read;
  bool shows_managed = true;  ///< programs can show functions of Python and Java
  /// Called each time the walk looks a block of the pool up, with the number of such calls before: another thread's
  /// turn.
  std::function<void(unsigned nr_before)> meanwhile;
  unsigned nr_look_ups() const { return nr_look_ups_; }  ///< of the last walk
  std::span<std::byte> memory() { return memory_; }
  void look_up() {
    if (meanwhile) meanwhile(nr_look_ups_);
    ++nr_look_ups_;
  }

 private:
  const arch::Machine &machine_;
  std::vector<std::byte> memory_;
  RulePool pool_;
  std::map<pid_t, dt_unwind_process> told_;
  ProcessRules rules_;
  unsigned nr_look_ups_ = 0;
};

}  // namespace dtrace::runtime::test
