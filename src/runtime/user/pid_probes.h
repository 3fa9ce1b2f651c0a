// SPDX-License-Identifier: Apache-2.0
// The probes of the pid provider: functions and instructions that descriptions named, and where each fires. Decoding is
// put off until a probe is enabled, so that listing costs no more than reading symbols.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plan/hook.h"
#include "runtime/user/stack_use.h"
#include "runtime/user/user_object.h"

namespace dtrace::runtime {

/// A function, or an instruction of it, or an address in no function (sentinel "-").
struct PidPlace {
  std::shared_ptr<UserObject> object;
  UserFunction function;
  uint64_t offset = 0;  ///< of the instruction, from the function's start
  /// A call that is inlined there: its number (debug_info/inlined_calls.h) from 1, which of its copies that begin at
  /// this instruction, and whether it has no code that is its own.
  uint32_t inlined = 0, copy = 0;
  bool is_shared = false;
  /// The instruction's virtual address in the file.
  uint64_t address() const { return function.address + offset; }
  bool operator==(const PidPlace &o) const {
    return object == o.object && function.offset + offset == o.function.offset + o.offset && inlined == o.inlined &&
           copy == o.copy;
  }
};

struct PidProbe {
  enum class Kind : uint8_t { kEntry, kReturn, kOffset, kLine, kInline };
  Kind kind = Kind::kEntry;
  pid_t pid = 0;
  uint32_t family = 0;           ///< fires in all processes of the family (followed_processes.h); 0: in `pid`
  StackUse stack_use;            ///< of the process, as it has been seen so far
  std::vector<PidPlace> places;  ///< more than one where functions have the same name, or a line has several pieces
  size_t told = 0;               ///< of these, the hook has told, by the use of stacks known then
};

/// How a probe is set.
///
/// Entry and offset: a uprobe. Return: uprobes on the return instructions where these are the only ways out of the
/// function, which tells the instruction and leaves the stack alone; else the kernel's return probe, which replaces the
/// return address, and tells the instruction only if there is just one. In a process that unwinds its stacks, and for
/// a function that does more with its return address than return (return_address.h), never that, but uprobes on all
/// instructions that leave the function. Stepping over a return instruction costs six times
/// what the kernel's return probe does, so a function that cannot be harmed by one has both (ProbeHook::cheaper).
/// Harmed are functions that are unwound through or leave their stack (stack_use.h), and those that are running more
/// than 64 times in a thread, of which the kernel then misses returns silently. All that can happen in calls;
/// to a function that calls nothing, only where signals interfere.
ProbeHook hook_of(const PidProbe &probe);

/// Raw arguments of entries and instructions; the operands of typed ones count on from here. Those of an inlined call
/// are its first operands.
inline constexpr uint32_t kRawArguments = 10;

/// The hooks that a probe of this kind may get, without sites.
std::vector<ProbeHook> prototypes_of(PidProbe::Kind kind, bool is_64bit, uint32_t family = 0);

/// The reason of a function that has no return: nothing is missed of it.
constexpr std::string_view kDoesNotReturn = "it does not return";

/// Why a return of the function cannot be probed; empty: it can.
std::string return_refusal(const PidPlace &place, const StackUse &use);

/// Whether one probe can see the returns of all these functions, each of which has a return that can be probed: all by
/// the kernel's return probe, or all at the instructions that leave them.
bool share_return(const std::vector<PidPlace> &places, const StackUse &use);

}  // namespace dtrace::runtime
