// SPDX-License-Identifier: Apache-2.0
// A child under ptrace(2), for as long as it takes to bring it to the point where tracing starts.
//
// What a reader would get wrong: ptrace belongs to a thread. The thread that creates a Tracee is the only one that may
// call it. And waiting reaps: an exit seen here is seen nowhere else, so it is kept in exit_status().
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/owned.h"
#include "base/result.h"

namespace dtrace::runtime {

class Tracee {
 public:
  enum class Stop {
    kBreakpoint,  ///< at one of the addresses asked for, which holds its own instruction again
    kExec,        ///< a new program image; breakpoints are gone with the old one
    kSystemCall,  ///< before or behind a system call
    kGone,        ///< exited or killed: see exit_status()
  };

  Tracee() = default;

  /// Seizes a child that has not called exec yet; it is killed if this process dies before detach().
  static Result<Tracee> seize(pid_t child);

  /// Waits for the first exec of a process just seized, which runs already.
  Result<Stop> wait_for_exec() { return wait_for_stop({}); }
  /// Runs until the main thread is about to execute one of `addresses`. Forked children run on without breakpoints.
  Result<Stop> run_to(std::span<const uint64_t> addresses);
  /// Sets breakpoints of the processor's own, which go together with probes at the same address because they change
  /// no memory, and takes the others away. Errors: the processor, or the virtual machine, has not so many.
  Result<Unit> set_processor_breakpoints(std::span<const uint64_t> addresses);
  /// Runs to one of them, or to the next beginning or end of a system call.
  Result<Stop> run_to_system_call();
  /// Executes one instruction.
  Result<Stop> step();
  /// Lets go: the process runs on, untraced.
  Result<Unit> detach();

  Result<uint64_t> program_counter() const;
  /// First integer argument of the function just entered (64-bit programs).
  Result<uint64_t> first_argument() const;
  Result<uint32_t> read_u32(uint64_t address) const;

  /// Wait status of a process that ended while traced.
  std::optional<int> exit_status() const { return exit_status_; }

 private:
  struct Breakpoint {
    uint64_t address;
    std::vector<uint8_t> original;
    int signal;  // that the process gets there
    Fd kept{};   // while the code is not that of another tracer's probe: see keep_probe()
  };

  explicit Tracee(pid_t pid) : pid_(pid) {}
  Result<Breakpoint> set_trap(uint64_t address) const;
  bool is_at(const Breakpoint &breakpoint, int signal, uint64_t pc) const;
  Result<Stop> wait_for_stop(const std::vector<Breakpoint> &breakpoints);
  Result<Stop> leave_processor_breakpoint();
  Result<Stop> run_to_traps(std::span<const uint64_t> addresses);
  bool is_at_processor_breakpoint(uint64_t pc) const;
  Result<Stop> go_on(const std::vector<Breakpoint> &breakpoints);
  Result<int> wait();
  Result<Unit> let_child_go(const std::vector<Breakpoint> &breakpoints);
  Result<Unit> set_program_counter(uint64_t address);

  pid_t pid_ = -1;
  int pending_signal_ = 0;  // to be delivered when it continues
  bool stops_at_system_calls_ = false;
  std::vector<uint64_t> processor_breakpoints_;
  std::optional<int> exit_status_;
};

}  // namespace dtrace::runtime
