// SPDX-License-Identifier: Apache-2.0
// What was lost, as the ledger counts it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "plan/plan.h"

namespace dtrace::runtime {

/// How many firings were lost before a probe was set is not known: nothing in the kernel saw them. What is counted then
/// are the probes, or how often that may have been.
constexpr bool has_known_count(Cause cause) { return cause != Cause::kLateSites && cause != Cause::kUnheard; }

struct Loss {
  Cause cause = Cause::kRingFull;
  uint32_t clause = UINT32_MAX;  ///< index, or UINT32_MAX where it is not known
  unsigned cpu = UINT32_MAX;     ///< UINT32_MAX where it is not known
  uint64_t count = 0;            ///< of what the cause says; see has_known_count()
  std::string program;           ///< kMissed: the BPF program; kLateSites: the file
  uint64_t longest_ns = 0;       ///< kLateSites: how late the last of them was set
};

/// Short name of a cause for -xdroptags, for JSON, and its sentence.
std::string_view cause_tag(Cause cause);
std::string_view cause_name(Cause cause);
std::string_view cause_text(Cause cause);

}  // namespace dtrace::runtime
