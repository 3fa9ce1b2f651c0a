// SPDX-License-Identifier: Apache-2.0
// Probes that are told in D. What a stable provider calls proc:::create is a clause on a tracepoint: its predicate says
// which of the events are meant, its statements are the arguments.
//
//     rawtp:::sched_process_fork /args[1]->pid == args[1]->tgid/ { args[1]; }
//
// The text may have several clauses, and descriptions that match several probes: the probe fires with each. The front
// end checks it when a program first names the probe (frontend/check/defined_probes.h).
#pragma once

#include <string_view>
#include <vector>

#include "frontend/lang/probe.h"
#include "frontend/types/types.h"

namespace dtrace::runtime {

/// What a provider says of a probe of that kind.
struct ProbeDefinition {
  std::string_view text;
  /// Of args[n], as D is to see them ("psinfo_t *"): what the statements' values are translated to. Those of empty
  /// text, and missing ones, are what the statement's type is. "1: bufinfo_t *" is made of the statement with that
  /// number; if the first one says so, there are no args[] besides those of the list.
  std::vector<std::string_view> types;
};

/// The outcome of checking a definition: not empty; all have the same number of arguments.
using ProbeOrigins = std::vector<ProbeOrigin>;

/// args[n] of a probe of that kind.
std::vector<ProbeArg> derived_args(const ProbeOrigins &origins, const ProbeDefinition &definition, TypeTable &types);

}  // namespace dtrace::runtime
