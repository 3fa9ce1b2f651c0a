// SPDX-License-Identifier: Apache-2.0
#include "runtime/process/tracee.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "arch/machine.h"
#include "base/processor_breakpoints.h"
#include "runtime/process/keep_probe.h"

namespace dtrace::runtime {

namespace {

const arch::ProcessControl &machine() { return arch::host_process_control(); }

constexpr uint64_t kWordBytes = sizeof(long);
constexpr int kSystemCallTrap = SIGTRAP | 0x80;  // PTRACE_O_TRACESYSGOOD

Error failure(pid_t pid, std::string_view what, int cause) {
  return Error::from_errno(fmt::format("pid {}: {}", pid, what), cause);
}

Result<uint64_t> peek(pid_t pid, uint64_t address) {
  errno = 0;
  const long word = ::ptrace(PTRACE_PEEKTEXT, pid, reinterpret_cast<void *>(address), nullptr);
  if (errno != 0) return failure(pid, fmt::format("cannot read memory at {:#x}", address), errno);
  return static_cast<uint64_t>(word);
}

Result<Unit> poke(pid_t pid, uint64_t address, uint64_t word) {
  if (::ptrace(PTRACE_POKETEXT, pid, reinterpret_cast<void *>(address), reinterpret_cast<void *>(word)) != 0) {
    return failure(pid, fmt::format("cannot write memory at {:#x}", address), errno);
  }
  return ok();
}

/// The word that `code` at `address` makes of the word around it. Aligned, so it never crosses a page.
uint64_t with_code(uint64_t word, uint64_t address, std::span<const uint8_t> code) {
  std::memcpy(reinterpret_cast<char *>(&word) + address % kWordBytes, code.data(), code.size());
  return word;
}

Result<std::vector<uint8_t>> read_code(pid_t pid, uint64_t address, size_t size) {
  const Result<uint64_t> word = peek(pid, address / kWordBytes * kWordBytes);
  if (!word) return word.error();
  const auto *first = reinterpret_cast<const uint8_t *>(&*word) + address % kWordBytes;
  return std::vector<uint8_t>(first, first + size);
}

/// Writes the rest of the word as it is now: others set and remove their probes meanwhile.
Result<Unit> write_code(pid_t pid, uint64_t address, std::span<const uint8_t> code) {
  const uint64_t aligned = address / kWordBytes * kWordBytes;
  const Result<uint64_t> word = peek(pid, aligned);
  return word ? poke(pid, aligned, with_code(*word, address, code)) : word.error();
}

Result<uint64_t> read_register(pid_t pid, uint32_t offset) {
  uint64_t value = 0;
  if (!machine().get_register(pid, offset, value)) return failure(pid, "cannot read registers", errno);
  return value;
}

bool is_job_control_stop(int signal) {
  return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

}  // namespace

Result<Tracee> Tracee::seize(pid_t child) {
  constexpr unsigned long kOptions =
      PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK | PTRACE_O_TRACESYSGOOD;
  if (::ptrace(PTRACE_SEIZE, child, nullptr, kOptions) != 0) return Error::from_errno("cannot trace it", errno);
  return Tracee(child);
}

Result<int> Tracee::wait() {
  int status = 0;
  while (::waitpid(pid_, &status, __WALL) < 0) {
    if (errno != EINTR) return failure(pid_, "cannot wait for it", errno);
  }
  return status;
}

/// Waits for a stop that is ours, passing signals on and letting forked children go.
Result<Tracee::Stop> Tracee::wait_for_stop(const std::vector<Breakpoint> &breakpoints) {
  for (;;) {
    Result<int> status = wait();
    if (!status) return std::move(status).error();
    if (!WIFSTOPPED(*status)) {
      exit_status_ = *status;
      return Stop::kGone;
    }
    const int event = *status >> 16;
    const int signal = WSTOPSIG(*status);
    auto request = stops_at_system_calls_ ? PTRACE_SYSCALL : PTRACE_CONT;
    int deliver = 0;
    if (event == PTRACE_EVENT_EXEC) return Stop::kExec;
    if (signal == kSystemCallTrap) return Stop::kSystemCall;
    if (event == PTRACE_EVENT_FORK) {
      if (Result<Unit> gone = let_child_go(breakpoints); !gone) return std::move(gone).error();
    } else if (event == PTRACE_EVENT_STOP) {
      // Stopped by job control: it stays so until SIGCONT, as it would untraced.
      if (is_job_control_stop(signal)) request = PTRACE_LISTEN;
    } else if (signal == SIGTRAP || signal == SIGSEGV) {
      Result<uint64_t> pc = program_counter();
      if (!pc) return std::move(pc).error();
      if (signal == SIGTRAP && is_at_processor_breakpoint(*pc)) return Stop::kBreakpoint;
      const auto reached =
          std::ranges::find_if(breakpoints, [&](const Breakpoint &b) { return is_at(b, signal, *pc); });
      if (reached != breakpoints.end()) {
        if (Result<Unit> set = set_program_counter(reached->address); !set) return std::move(set).error();
        return Stop::kBreakpoint;
      }
      deliver = signal;
    } else {
      deliver = signal;
    }
    if (::ptrace(request, pid_, nullptr, static_cast<long>(deliver)) != 0 && errno != ESRCH) {
      return failure(pid_, "cannot continue it", errno);
    }
  }
}

Result<Tracee::Stop> Tracee::go_on(const std::vector<Breakpoint> &breakpoints) {
  const int deliver = std::exchange(pending_signal_, 0);
  const auto request = stops_at_system_calls_ ? PTRACE_SYSCALL : PTRACE_CONT;
  // ESRCH: killed while stopped; the wait tells.
  if (::ptrace(request, pid_, nullptr, static_cast<long>(deliver)) != 0 && errno != ESRCH)
    return failure(pid_, "cannot continue it", errno);
  return wait_for_stop(breakpoints);
}

bool Tracee::is_at_processor_breakpoint(uint64_t pc) const {
  return std::ranges::find(processor_breakpoints_, pc) != processor_breakpoints_.end();
}

/// Where the processor would stop again at the breakpoint that the process is at.
Result<Tracee::Stop> Tracee::leave_processor_breakpoint() {
  const std::vector<uint64_t> addresses = processor_breakpoints_;
  if (Result<Unit> cleared = set_processor_breakpoints({}); !cleared) return std::move(cleared).error();
  const Result<Stop> stop = step();
  if (!stop || *stop != Stop::kBreakpoint) return stop;
  if (Result<Unit> set = set_processor_breakpoints(addresses); !set) return std::move(set).error();
  return stop;
}

Result<Tracee::Stop> Tracee::run_to_system_call() {
  if (!processor_breakpoints_.empty() && !machine().steps_over_processor_breakpoint) {
    const Result<uint64_t> pc = program_counter();
    if (!pc) return pc.error();
    if (is_at_processor_breakpoint(*pc)) {
      const Result<Stop> stop = leave_processor_breakpoint();
      if (!stop || *stop != Stop::kBreakpoint) return stop;
    }
  }
  stops_at_system_calls_ = true;
  Result<Stop> stop = go_on({});
  stops_at_system_calls_ = false;
  return stop;
}

Result<Tracee::Stop> Tracee::run_to(std::span<const uint64_t> addresses) {
  // Without one, or where others use them all, traps are as good unless somebody has a probe there.
  if (!machine().probes_take_traps || !processor_breakpoints_fire() || !set_processor_breakpoints(addresses))
    return run_to_traps(addresses);
  Result<Stop> stop = go_on({});
  if (exit_status_) return stop;
  const Result<Unit> cleared = set_processor_breakpoints({});
  return stop && !cleared ? Result<Stop>(cleared.error()) : stop;
}

/// The kernel takes a trap where somebody has a probe for that probe's, so there it is another instruction that stops.
Result<Tracee::Breakpoint> Tracee::set_trap(uint64_t address) const {
  const std::span<const uint8_t> trap = machine().breakpoint;
  Result<std::vector<uint8_t>> original = read_code(pid_, address, trap.size());
  if (!original) return std::move(original).error();
  Breakpoint breakpoint{address, std::move(*original), SIGTRAP};
  std::span<const uint8_t> code = trap;
  if (std::ranges::equal(breakpoint.original, trap)) {
    Result<Fd> kept = machine().probes_take_traps ? keep_probe(pid_, address) : Result<Fd>(Error("it is not ours"));
    if (!kept)
      return Error(fmt::format("pid {}: another tracer has a probe at {:#x}: {}", pid_, address, kept.error().text()));
    breakpoint.kept = std::move(*kept);
    breakpoint.signal = SIGSEGV;
    code = machine().privileged;
  }
  if (Result<Unit> written = write_code(pid_, address, code); !written) return std::move(written).error();
  return breakpoint;
}

bool Tracee::is_at(const Breakpoint &breakpoint, int signal, uint64_t pc) const {
  const uint32_t advance = breakpoint.signal == SIGTRAP ? machine().breakpoint_advance_bytes : 0;
  return signal == breakpoint.signal && pc - advance == breakpoint.address;
}

Result<Tracee::Stop> Tracee::run_to_traps(std::span<const uint64_t> addresses) {
  std::vector<Breakpoint> breakpoints;
  Result<Stop> stop = Stop::kBreakpoint;
  for (const uint64_t address : addresses) {
    Result<Breakpoint> set = set_trap(address);
    if (!set) {
      stop = std::move(set).error();
      break;
    }
    breakpoints.push_back(std::move(*set));
  }
  if (stop) stop = go_on(breakpoints);
  if (stop && *stop != Stop::kBreakpoint) return stop;
  for (const Breakpoint &b : breakpoints)
    if (Result<Unit> restored = write_code(pid_, b.address, b.original); !restored && stop)
      return std::move(restored).error();
  return stop;
}

/// A child forked before the hold point inherited our breakpoints: it would die of the first one.
Result<Unit> Tracee::let_child_go(const std::vector<Breakpoint> &breakpoints) {
  unsigned long message = 0;
  if (::ptrace(PTRACE_GETEVENTMSG, pid_, nullptr, &message) != 0) return failure(pid_, "cannot read its event", errno);
  const auto child = static_cast<pid_t>(message);
  int status = 0;
  while (::waitpid(child, &status, __WALL) < 0) {
    if (errno != EINTR) return ok();  // killed already
  }
  if (!WIFSTOPPED(status)) return ok();
  for (const Breakpoint &b : breakpoints) (void)write_code(child, b.address, b.original);
  ::ptrace(PTRACE_DETACH, child, nullptr, nullptr);
  return ok();
}

Result<Tracee::Stop> Tracee::step() {
  for (;;) {
    if (::ptrace(PTRACE_SINGLESTEP, pid_, nullptr, nullptr) != 0 && errno != ESRCH) {
      return failure(pid_, "cannot step it", errno);
    }
    Result<int> status = wait();
    if (!status) return std::move(status).error();
    if (!WIFSTOPPED(*status)) {
      exit_status_ = *status;
      return Stop::kGone;
    }
    if (*status >> 16 == PTRACE_EVENT_EXEC) return Stop::kExec;
    if (WSTOPSIG(*status) == SIGTRAP) return Stop::kBreakpoint;
    // Another signal came first. Delivered now it could run a handler, so it waits for the next continue.
    pending_signal_ = WSTOPSIG(*status);
  }
}

Result<Unit> Tracee::set_processor_breakpoints(std::span<const uint64_t> addresses) {
  bool is_set = addresses.size() <= machine().nr_processor_breakpoints;
  errno = ENOSPC;
  is_set = is_set && machine().set_processor_breakpoints(pid_, addresses);
  processor_breakpoints_.assign(addresses.begin(), is_set ? addresses.end() : addresses.begin());
  if (is_set) return ok();
  const Error error = failure(pid_, "cannot set a breakpoint of the processor", errno);
  if (!addresses.empty()) (void)machine().set_processor_breakpoints(pid_, {});  // some may have been set
  return error;
}

Result<Unit> Tracee::detach() {
  const int deliver = std::exchange(pending_signal_, 0);
  if (::ptrace(PTRACE_DETACH, pid_, nullptr, static_cast<long>(deliver)) != 0 && errno != ESRCH) {
    return failure(pid_, "cannot continue it", errno);
  }
  return ok();
}

Result<uint64_t> Tracee::program_counter() const { return read_register(pid_, machine().program_counter); }

Result<Unit> Tracee::set_program_counter(uint64_t address) {
  if (!machine().set_register(pid_, machine().program_counter, address))
    return failure(pid_, "cannot write registers", errno);
  return ok();
}

Result<uint64_t> Tracee::first_argument() const { return read_register(pid_, machine().first_argument); }

Result<uint32_t> Tracee::read_u32(uint64_t address) const {
  const Result<uint64_t> word = peek(pid_, address / kWordBytes * kWordBytes);
  if (!word) return word.error();
  const auto shift = static_cast<unsigned>(address % kWordBytes * 8);
  return static_cast<uint32_t>(*word >> (shift & 32u));
}

}  // namespace dtrace::runtime
