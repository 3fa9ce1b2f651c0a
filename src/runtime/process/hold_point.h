// SPDX-License-Identifier: Apache-2.0
// Brings a freshly exec'd child to the point where D programs are compiled against it (option evaltime).
//
// What a reader would get wrong: glibc's dynamic linker runs the constructors of all shared objects before it jumps to
// the program's entry point, so "after constructors" is AT_ENTRY; the program's own .init_array runs later, inside
// __libc_start_main. A static program has no linker: its entry point is its first instruction.
// Source: what doc/dtrace.8 promises of option evaltime.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "runtime/process/tracee.h"

namespace dtrace::runtime {

enum class EvalTime { kExec, kPreinit, kPostinit, kMain };

/// The value of option evaltime: "exec", "preinit", "postinit" or "main".
std::optional<EvalTime> parse_evaltime(std::string_view text);
std::string_view evaltime_name(EvalTime when);

/// Runs `tracee`, stopped by its exec, to `when`.
/// Out: where it really is. kMain falls back to kPostinit when neither a symbol nor __libc_start_main shows main;
///      kPreinit is kExec for a static program and kPostinit for a linker without _dl_debug_state. If the program
///      ended on the way, Tracee::exit_status() has a value.
Result<EvalTime> run_to_hold_point(Tracee &tracee, pid_t pid, EvalTime when);

/// Runs `tracee`, held at its exec, until the dynamic linker has mapped its libraries and nothing of them has run, and
/// calls `mapped` at each system call on the way, and at the end, when the libraries are complete: it may set probes in
/// what has just been mapped. A static program has no libraries, and is left where it is. Where the processor has no
/// breakpoints it runs on to the first system call that a constructor makes, or the program.
Result<Unit> follow_linker(Tracee &tracee, pid_t pid, const std::function<void(bool is_complete)> &mapped);

}  // namespace dtrace::runtime
