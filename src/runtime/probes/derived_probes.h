// SPDX-License-Identifier: Apache-2.0
// Probes that are defined by D clauses. A stable provider's proc:::create is a clause on a tracepoint: its
// predicate selects events, its statements are the arguments.
//
//     rawtp:::sched_process_fork /args[1]->pid == args[1]->tgid/ { args[1]; }
//
// The text may have several clauses, and descriptions that match several probes: the probe fires with each. The front
// end checks it when a program first names the probe (frontend/check/defined_probes.h).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "frontend/lang/probe.h"
#include "frontend/types/types.h"

namespace dtrace::runtime {

/// What a provider says of a probe of that kind.
struct ProbeDefinition {
  std::string_view text;
  /// Types of args[n] as D sees them ("psinfo_t *"): the statements' values are translated to them. An empty or missing
  /// entry means the statement's own type. "1: bufinfo_t *" takes the value of statement 1; if the first entry has
  /// such a number, args[] has only the entries of this list.
  std::vector<std::string_view> types;
};

/// The outcome of checking a definition: not empty; all have the same number of arguments.
using ProbeOrigins = std::vector<ProbeOrigin>;

/// args[n] of a probe of that kind.
std::vector<ProbeArg> derived_args(const ProbeOrigins &origins, const ProbeDefinition &definition, TypeTable &types);

/// The same where there is no probe to check the definition for: D sees the types that `types` names, a part of
/// ProbeDefinition::types. Those of statements are not known.
std::vector<ProbeArg> absent_args(std::span<const std::string_view> types, TypeTable &table);

}  // namespace dtrace::runtime
