// SPDX-License-Identifier: Apache-2.0
// Texts of what goes to standard error while tracing: drops, faults, reductions. Without the "dtrace: " before them and
// the newline after. Source: D language reference, 7.3 and 7.4; command reference, sections 9 and 20.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "frontend/lang/probe.h"
#include "runtime/events/sink.h"

namespace dtrace::runtime {

// ---------------------------------------------------------------- drops

enum class DropKind : uint8_t {
  kPrincipal,
  kAggregation,
  kDynamic,
  kSpeculation,
  kSpeculationUnavailable,
  kDoubleError,
};

struct DropCause {
  Cause cause;
  DropKind kind;
};
/// Causes that are reported as drops, in the order of their reports.
inline constexpr DropCause kDropCauses[] = {
    {Cause::kRingFull, DropKind::kPrincipal},          {Cause::kNoScratch, DropKind::kPrincipal},
    {Cause::kErrorLost, DropKind::kPrincipal},         {Cause::kAggregationFull, DropKind::kAggregation},
    {Cause::kAggregationBusy, DropKind::kAggregation}, {Cause::kDynamicFull, DropKind::kDynamic},
    {Cause::kThreadLocal, DropKind::kDynamic},         {Cause::kSpecFull, DropKind::kSpeculation},
    {Cause::kSpecLate, DropKind::kSpeculation},        {Cause::kSpecUnavailable, DropKind::kSpeculationUnavailable},
    {Cause::kDoubleError, DropKind::kDoubleError},
};

/// What kind of drop a loss is reported as; nothing: it is none.
std::optional<DropKind> drop_kind(Cause cause);
/// Is a loss of this cause in the ledger only, or shown with what it concerns?
bool is_silent(Cause cause);

/// "3 drops on CPU 0"; with `tagged`, "[DTRACEDROP_PRINCIPAL] 3 drops on CPU 0". `count`: since the last report, not 0.
/// `cpu` matters to kPrincipal and kAggregation only.
std::string drop_text(DropKind kind, uint64_t count, unsigned cpu, bool tagged);

// ---------------------------------------------------------------- faults

/// "invalid address" for fault code 1; an unknown code is "unknown fault".
std::string_view fault_text(uint32_t code);

/// "error in CLAUSE for probe ID I (P:M:F:N): TEXT (0xADDR) at BPF pc N".
std::string fault_report_text(const FaultEvent &fault);

/// A failure of the consumer at an action of a probe: "error in CLAUSE for probe ID I (P:M:F:N): message".
std::string library_fault_text(std::string_view clause, const Probe &probe, std::string_view message);

/// "couldn't set option "strsize" to "10": Operation illegal when tracing is active".
std::string setopt_failure_text(std::string_view option, std::string_view value, std::string_view reason);

// ---------------------------------------------------------------- reductions at start

/// "2m", "1g"; "1000 bytes" for what no suffix divides.
std::string size_text(uint64_t bytes);
/// "buffer size lowered to 2m". `what`: "buffer size", "aggregation size", "speculation size", "dynamic variable size".
std::string size_lowered_text(std::string_view what, uint64_t bytes);

/// "10 hz", "once every 2 seconds" or "once every 3 nanoseconds" for an interval.
std::string rate_text(uint64_t interval_ns);
/// "cleaning rate reduced to 50 hz". `what`: "cleaning rate", "status rate", ...
std::string rate_changed_text(std::string_view what, uint64_t wanted_interval_ns, uint64_t actual_interval_ns);

}  // namespace dtrace::runtime
